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
    has_own_log_prob,
    not_longer,
    only_tokens,
    random_step,
    start,
)
from attnbook.checks.shared import Inputs, only_a_part
from attnbook.exercises import Call, Exercise
from attnlib import search


def beam_tokens(
    step: Step,
    memory: Any,
    state: Any,
    max_length: int,
    beam_size: int = 5,
    alpha: float = 0.0,
    penalty: str = "gnmt",
) -> Answer:
    """The tokens, without eos, of the best hypothesis of a beam, and their log-probability."""
    live, finished = [(0.0, [], state)], []
    for t in range(1, max_length + 1):
        found = []
        for total, tokens, state in live:
            last = torch.tensor([[(tokens or [BOS])[-1]]])
            log_probs, new, _ = step(last, memory, state)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (PAD, BOS) and gain > -math.inf:
                    found.append((total + gain, [*tokens, token], new))
        found.sort(key=lambda candidate: -candidate[0])
        live = []
        for total, tokens, new in found:
            if len(live) == beam_size:
                break
            if tokens[-1] == EOS:
                score = total / search.length_penalty(float(t), alpha, penalty)
                finished.append((score, tokens[:-1], total))
            else:
                live.append((total, tokens, new))
        if not live:
            break
    if not finished:
        return live[0][1], live[0][0]
    _, tokens, total = max(finished, key=lambda hypothesis: hypothesis[0])
    return tokens, total


# beam_tokens --------------------------------------------------------------------------------------


def _to_search() -> Inputs:
    def given(step: Step, longest: int, k: int, alpha: float, kind: str) -> dict[str, Any]:
        options = {"max_length": longest, "beam_size": k, "alpha": alpha, "penalty": kind}
        return {"step": step, **start(), **options}

    yield given(TRAP, 4, 2, 0.0, "gnmt")
    for seed, k in ((0, 1), (1, 2), (2, 3)):
        yield given(random_step(seed), 5, k, 0.0, "gnmt")
    for k in (2, 5):
        yield given(random_step(8, never_ends=True), 3, k, 1.0, "gnmt")
    # Chosen so that each of the mistakes below differs from the reference and the others twice.
    for seed in (10, 14, 16, 20, 30):
        yield given(random_step(seed), 5, 3, 1.0, "power")
    for seed in (1, 5, 54):
        yield given(random_step(seed), 3, 2, -0.5, "power")
    for seed in (1, 3, 35):
        yield given(random_step(seed), 2, 2, 1.0, "gnmt")
    yield given(random_step(26), 5, 3, 1.0, "gnmt")
    for seed in (5, 30):
        yield given(random_step(seed), 5, 2, 1.5, "gnmt")


def _beam_reference(
    step: Step, memory: Any, state: Any, max_length: int, beam_size: int = 5, alpha: float = 0.0,
    penalty: str = "gnmt",
) -> Answer:  # fmt: skip
    """Prefix by prefix, as the exercise says. The library's beam takes more endings at the last
    step (there every prefix may end), and may then find another sentence."""
    live: list[tuple[float, list[int], Any]] = [(0.0, [], state)]
    done: list[tuple[float, list[int], float]] = []
    for t in range(1, max_length + 1):
        found = []
        for total, tokens, before in live:
            log_probs, new, _ = step(torch.tensor([[[BOS, *tokens][-1]]]), memory, before)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (PAD, BOS) and gain > -math.inf:
                    found.append((total + gain, [*tokens, token], new))
        live = []
        for total, tokens, new in sorted(found, key=lambda one: -one[0]):
            if len(live) == beam_size:
                break
            if tokens[-1] == EOS:
                score = total / search.length_penalty(float(t), alpha, penalty)
                done.append((score, tokens[:-1], total))
            else:
                live.append((total, tokens, new))
        if not live:
            break
    if not done:
        return live[0][1], live[0][0]
    _, tokens, total = max(done, key=lambda one: one[0])
    return tokens, total


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
        if flaw == "kind":
            penalty = "gnmt"

        def score(total: float, n: int) -> float:
            if flaw == "no penalty":
                return total
            n += {"without eos": -1, "without eos, 1": -1 * (n > 1), "eos twice": 1}.get(flaw, 0)
            divisor = search.length_penalty(float(n), alpha, penalty)
            if flaw == "times":
                return total * divisor
            return total / divisor if divisor else -math.inf

        for t in range(1, max_length + 1):
            found, new = [], state
            for total, tokens, before in live:
                last = torch.tensor([[tokens[-1] if tokens else BOS]])
                log_probs, new, _ = step(last, memory, state if flaw == "start" else before)
                gains = log_probs[0, 0].tolist()
                every = [
                    (total + gain, [*tokens, token], new)
                    for token, gain in enumerate(gains)
                    if (gain > -math.inf or flaw == "zero")
                    and (token not in (PAD, BOS) or flaw == "banned")
                ]
                found += [max(every, key=lambda x: x[0])] if flaw == "own best" else every
            found.sort(key=lambda x: x[0] if flaw == "upward" else -x[0])
            if flaw == "state":
                found = [(total, tokens, new) for total, tokens, _ in found]
            live = []
            room = beam_size - (len(done) if flaw == "shrink" else 0)
            for total, tokens, after in found:
                if len(live) >= room and (flaw != "every eos" or tokens[-1] != EOS):
                    if flaw == "every eos":
                        continue
                    break
                if tokens[-1] == EOS:
                    if flaw == "late" and t < max_length:
                        continue
                    if flaw == "lives":
                        live.append((total, tokens, after))
                    done.append((score(total, t), total, tokens[:-1]))
                    room -= flaw in ("slot", "shrink")
                else:
                    live.append((total, tokens, after))
            enough = {"first": 1, "count": beam_size}.get(flaw, 10**9)
            if not live or len(done) >= enough:
                break
            if flaw == "present" and done and max(done)[0] >= score(live[0][0], t):
                break
        if flaw == "compete":
            done += [(score(total, max_length), total, tokens) for total, tokens, _ in live]
        if done:
            best, total, tokens = max(done, key=lambda x: x[1 if flaw == "last" else 0])
            return tokens, best if flaw == "score" else total
        return ([], -math.inf) if flaw == "nothing" else (live[0][1], live[0][0])

    return wrong


def _something_comes_back(call: Call) -> str | None:
    tokens, log_prob = call.result
    if math.isfinite(log_prob) and (tokens or not call.expected[0]):
        return None
    if len(call.expected[0]) < call.max_length:
        return None
    return (
        f"Nothing ends here within max_length = {call.max_length} tokens, and {list(tokens)} comes "
        f"back with log-probability {log_prob:g}. Asked for is then the best prefix that is alive."
    )


def _best_score(call: Call) -> str | None:
    mine, right = ((list(x[0]), x[1]) for x in (call.result, call.expected))
    if mine[0] == right[0]:
        return None

    def score(tokens: list[int], log_prob: float) -> float:
        return log_prob / search.length_penalty(float(len(tokens) + 1), call.alpha, call.penalty)

    def described(tokens: list[int], log_prob: float) -> str:
        ends = len(tokens) < call.max_length
        what = f"{tokens} with log-probability {log_prob:.3f}, "
        if not ends:
            return what + "which has not ended"
        scored = f"score {score(tokens, log_prob):.3f}"
        return f"{what}{scored} for {len(tokens) + 1} tokens, eos counted"

    told = f"A beam of {call.beam_size} finds {described(*right)}. This finds {described(*mine)}."
    alive, ended = len(mine[0]) == call.max_length, len(right[0]) < call.max_length
    if alive and ended:
        return told + " A prefix comes back only where nothing has ended."
    if alive:
        return told + " Nothing has ended, and then the most probable of the living is asked for."
    if score(*mine) > score(*right) + 1e-6:
        return told + (
            f" That scores higher, but no beam of {call.beam_size} finds it. Do more prefixes than "
            f"{call.beam_size} live on in all, or does an eos count that is less probable?"
        )
    return told + (
        " The better one was met and not taken, or one of its prefixes was dropped: at every step "
        f"the {call.beam_size} most probable prefixes live on, every eos above them is kept, and "
        "of all that are kept the highest score wins."
    )


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


CHECK = Exercise(
    "beam_tokens",
    reference=beam_tokens,
    inputs=_to_search,
    rules={
        "where nothing ends the best prefix comes back": _something_comes_back,
        "the eos is not among the tokens": ends_without_eos,
        "what does not end is cut at max_length": not_longer,
        "pad and sos are not among the tokens": only_tokens,
        "the log-probability is that of its tokens": has_own_log_prob,
        "the hypothesis with the highest score is found": _best_score,
        "a beam of one is greedy search": _one_is_greedy,
    },
    mistakes=[
        *only_a_part(_beam_reference, "the tokens", "their log-probability"),
        (
            "Every prefix keeps only its own best continuation. The K best are chosen among the "
            "continuations of *all* prefixes: two may have the same parent.",
            _beam("own best"),
        ),
        (
            "This is greedy search: beam_size has no effect.",
            _beam("greedy"),
        ),
        (
            "It stops when the first hypothesis ends, or takes that one. A better one may still be "
            "alive: go on to max_length, or until none can catch up, and compare the scores.",
            _beam("first"),
        ),
        (
            "It stops when beam_size hypotheses have ended. They need not be the best: go on to "
            "max_length, or until none can catch up.",
            _beam("count"),
        ),
        (
            "It stops by comparing with the live prefix at its *present* length. With α > 0 that "
            "prefix may gain by growing.",
            _beam("present"),
        ),
        (
            "A hypothesis that has ended takes a place in the beam at that step. Set it aside: K "
            "prefixes that have not ended go on.",
            _beam("slot"),
        ),
        (
            "The beam shrinks with every hypothesis that ends. Set endings aside: K prefixes that "
            "have not ended go on.",
            _beam("shrink"),
        ),
        (
            "The finished hypotheses are ranked by log-probability alone: alpha has no effect.",
            _beam("no penalty"),
        ),
        (
            "All continuations are given the state of the last prefix. A continuation goes on "
            "from the state that its own prefix's step returned.",
            _beam("state"),
        ),
        (
            "The *least* probable continuations live on: sort from the largest log-probability "
            "down.",
            _beam("upward"),
        ),
        (
            "An ending is thrown away at every step but the last. Set every one that is met aside.",
            _beam("late"),
        ),
        (
            "A hypothesis that has ended lives on and is continued. Set it aside: only prefixes "
            "that have not ended go on.",
            _beam("lives"),
        ),
        (
            "Padding or a second start token is written. Pad (0) and sos (2) may not be chosen.",
            _beam("banned"),
        ),
        (
            "Every step is given the state of the start. A continuation goes on from the state "
            "that its own prefix's step returned.",
            _beam("start"),
        ),
        (
            "The argument penalty has no effect: hand it on to length_penalty.",
            _beam("kind"),
        ),
        *(
            (
                "The length in the penalty does not count the eos. A hypothesis that ends at step "
                "t has t tokens.",
                _beam(flaw),
            )
            for flaw in ("without eos", "without eos, 1")
        ),
        (
            "The length in the penalty counts the eos twice: a hypothesis that ends at step t has "
            "t tokens, the eos among them.",
            _beam("eos twice"),
        ),
        (
            "The log-probability is multiplied by lp(t). The score is log P *divided* by it.",
            _beam("times"),
        ),
        (
            "The score is returned. Rank by the score, and return the log-probability, which is "
            "not divided.",
            _beam("score"),
        ),
        (
            "Where nothing has ended, nothing comes back. Asked for is then the best prefix.",
            _beam("nothing"),
        ),
        (
            "Prefixes that have not ended compete with finished hypotheses. A prefix comes back "
            "only where nothing has ended.",
            _beam("compete"),
        ),
        (
            "Every eos is taken, even one that the walk down the list does not reach. The walk "
            "ends when K prefixes live on.",
            _beam("every eos"),
        ),
        (
            "Continuations of probability 0 are collected. An eos that cannot come must not be a "
            "finished hypothesis.",
            _beam("zero"),
        ),
    ],
)
