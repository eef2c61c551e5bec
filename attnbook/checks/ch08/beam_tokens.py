"""Exercise 8.6: ``beam_tokens``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from attnbook.checks.ch08.shared import (
    BOS,
    EOS,
    PAD,
    TRAP,
    Answer,
    Step,
    ends_without_eos,
    greedy_reference,
    random_step,
    start,
)
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake
from attnlib import search

# beam_tokens --------------------------------------------------------------------------------------


def _to_search() -> Inputs:
    def given(step: Step, longest: int, k: int, alpha: float, kind: str) -> dict[str, Any]:
        options = {"max_length": longest, "beam_size": k, "alpha": alpha, "penalty": kind}
        return {"step": step, **start(), **options}

    yield given(TRAP, 4, 2, 0.0, "gnmt")
    for seed in range(8):
        for k, alpha in ((1, 0.0), (2, 0.0), (3, 1.0)):
            yield given(random_step(seed), 5, k, alpha, "gnmt")
        yield given(random_step(seed + 10), 5, 3, 1.0, "power")
    for seed in (5, 30, 49):
        yield given(random_step(seed), 5, 2, 1.5, "gnmt")
    yield given(random_step(8, never_ends=True), 3, 2, 1.0, "gnmt")


def _beam_reference(
    step: Step, memory: Any, state: Any, max_length: int, beam_size: int = 5, alpha: float = 0.0,
    penalty: str = "gnmt",
) -> Answer:  # fmt: skip
    options: dict[str, Any] = {"max_length": max_length, "beam_size": beam_size}
    options |= {"alpha": alpha, "penalty": penalty}
    [[found]] = search.beam_search(step, memory, state, **options)
    return found.tokens, found.log_prob


def _beam(flaw: str) -> Callable[..., Answer]:
    """A beam search of one sentence, prefix by prefix, with a flaw."""

    def wrong(
        step: Step, memory: Any, state: Any, max_length: int, beam_size: int = 5,
        alpha: float = 0.0, penalty: str = "gnmt",
    ) -> Answer:  # fmt: skip
        live: list[Any] = [(0.0, [], state)]
        done: list[tuple[float, float, list[int]]] = []
        if flaw == "greedy":
            beam_size = 1

        def score(total: float, n: int) -> float:
            if flaw == "no penalty":
                return total
            return total / search.length_penalty(float(n), alpha, penalty)

        for t in range(1, max_length + 1):
            found, new = [], state
            for total, tokens, before in live:
                last = torch.tensor([[tokens[-1] if tokens else BOS]])
                log_probs, new, _ = step(last, memory, before)
                gains = log_probs[0, 0].tolist()
                every = [
                    (total + gain, [*tokens, token], new)
                    for token, gain in enumerate(gains)
                    if gain > -math.inf and (token not in (PAD, BOS) or flaw == "banned")
                ]
                found += [max(every, key=lambda x: x[0])] if flaw == "own best" else every
            found.sort(key=lambda x: -x[0])
            if flaw == "state":
                found = [(total, tokens, new) for total, tokens, _ in found]
            live = []
            room = beam_size - (len(done) if flaw == "shrink" else 0)
            for total, tokens, after in found:
                if len(live) >= room:
                    break
                if tokens[-1] == EOS:
                    if flaw == "no eos":
                        total -= 0.5
                    done.append((score(total, t), total, tokens[:-1]))
                    room -= flaw in ("slot", "shrink")
                else:
                    live.append((total, tokens, after))
            enough = {"first": 1, "count": beam_size}.get(flaw, 10**9)
            if not live or len(done) >= enough:
                break
            if flaw == "present" and done and max(done)[0] >= score(live[0][0], t):
                break
        if done:
            _, total, tokens = max(done, key=lambda x: x[1 if flaw == "last" else 0])
            return tokens, total
        return live[0][1], live[0][0]

    return wrong


def _one_is_greedy(call: Call) -> str | None:
    got = call(beam_size=1, alpha=0.0)
    tokens, log_prob = greedy_reference(call.step, call.memory, call.state, call.max_length)
    if list(got[0]) == tokens and abs(got[1] - log_prob) < 1e-4:
        return None
    return (
        f"A beam of one finds {list(got[0])} ({got[1]:.3f}); greedy search finds {tokens} "
        f"({log_prob:.3f}). With K = 1 they must agree: an ending is taken only when the search "
        "meets it before it has K survivors."
    )


def _own_log_prob(call: Call) -> str | None:
    tokens, log_prob = list(call.result[0]), call.result[1]
    total, state = 0.0, call.state
    ended = len(tokens) < call.max_length
    for last, token in zip([2, *tokens], [*tokens, EOS] if ended else tokens):
        log_probs, state, _ = call.step(torch.tensor([[last]]), call.memory, state)
        total += float(log_probs[0, 0, token])
    if abs(total - log_prob) < 1e-3:
        return None
    return (
        f"The tokens {tokens} have log-probability {total:.3f} when the model reads them one by "
        f"one, and {log_prob:.3f} is returned. Does every prefix go on from its own state, and is "
        "the sum, eos included, not divided by anything?"
    )


CHECK = Exercise(
    "beam_tokens",
    reference=_beam_reference,
    inputs=_to_search,
    rules={
        "the eos is not among the tokens": ends_without_eos,
        "the log-probability is that of its tokens": _own_log_prob,
        "a beam of one is greedy search": _one_is_greedy,
    },
    mistakes=[
        Mistake(
            "Every prefix keeps only its own best continuation. The K best are chosen among the "
            "continuations of *all* prefixes: two may have the same parent.",
            _beam("own best"),
        ),
        Mistake(
            "This is greedy search: beam_size has no effect.",
            _beam("greedy"),
        ),
        Mistake(
            "It stops when the first hypothesis ends. A better one may still be alive: go on to "
            "max_length, or until none can catch up.",
            _beam("first"),
        ),
        Mistake(
            "It stops when beam_size hypotheses have ended. They need not be the best: go on to "
            "max_length, or until none can catch up.",
            _beam("count"),
        ),
        Mistake(
            "It stops by comparing with the live prefix at its *present* length. With α > 0 that "
            "prefix may gain by growing.",
            _beam("present"),
        ),
        Mistake(
            "A hypothesis that has ended takes a place in the beam at that step. Set it aside: K "
            "prefixes that have not ended go on.",
            _beam("slot"),
        ),
        Mistake(
            "The beam shrinks with every hypothesis that ends. Set endings aside: K prefixes that "
            "have not ended go on.",
            _beam("shrink"),
        ),
        Mistake(
            "The finished hypotheses are ranked by log-probability alone: alpha has no effect.",
            _beam("no penalty"),
        ),
        Mistake(
            "All continuations are given the state of the last prefix. A continuation goes on "
            "from the state that its own prefix's step returned.",
            _beam("state"),
        ),
        Mistake(
            "Padding or a second start token is written. Pad (0) and sos (2) may not be chosen.",
            _beam("banned"),
        ),
    ],
)
