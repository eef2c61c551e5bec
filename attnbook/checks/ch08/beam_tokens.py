"""Exercise 8.4: ``beam_tokens``."""

import math
from functools import partial
from typing import Any

import torch

from attnbook.checks.inputs import Inputs
from attnbook.checks.search import (
    BOS,
    EOS,
    OF_THE_MODEL,
    PAD,
    TRAP,
    WRITTEN,
    Answer,
    Step,
    random_step,
    start,
    written_step,
)
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
        candidates = []
        for total, tokens, state in live:
            last = torch.tensor([[(tokens or [BOS])[-1]]])
            log_probs, new, _ = step(last, memory, state)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if token not in (PAD, BOS) and gain > -math.inf:
                    candidates.append((total + gain, [*tokens, token], new))
        candidates.sort(key=lambda candidate: -candidate[0])
        live = []
        for total, tokens, new in candidates:
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


def written_ties() -> list[Step]:
    """Two models whose first step has two tokens of 0.5: the better word begins with either."""
    ending, going_on = {3: 0.9, 6: 0.1}, {3: 0.2, 6: 0.8}
    return [
        written_step(
            {(): {4: 0.5, 5: 0.5}},
            {(4,): first, (5,): second},
            {(4, 6): {3: 1.0}, (5, 6): {3: 1.0}},
        )
        for first, second in ((ending, going_on), (going_on, ending))
    ]


def _to_search() -> Inputs:
    def arguments(step: Step, longest: int, k: int, alpha: float, kind: str) -> dict[str, Any]:
        options = {"max_length": longest, "beam_size": k, "alpha": alpha, "penalty": kind}
        return {"step": step, **start(), **options}

    yield arguments(TRAP, 4, 2, 0.0, "gnmt")
    for tied in written_ties():  # with K = 2 both of the two go on
        yield arguments(tied, 3, 2, 0.0, "gnmt")
    yield arguments(random_step(8, never_ends=True), 3, 2, 1.0, "gnmt")
    for seeds, longest, k, alpha, kind in (
        ((0,), 5, 1, 0.0, "gnmt"),
        ((1, 2), 5, 2, 0.0, "gnmt"),
        ((10, 14, 16, 20, 30), 5, 3, 1.0, "power"),
        ((1, 5, 54), 3, 2, -0.5, "power"),
        ((1, 3, 35), 2, 2, 1.0, "gnmt"),
        ((5, 26, 30), 5, 2, 1.5, "gnmt"),
    ):
        for seed in seeds:
            yield arguments(random_step(seed), longest, k, alpha, kind)


def _flawed(flaw, step, memory, state, max_length, beam_size=5, alpha=0.0, penalty="gnmt"):
    """The search with one flaw."""
    alpha = 0.0 if flaw == "alpha" else alpha
    penalty = "gnmt" if flaw == "penalty" else penalty
    live, done = [(0.0, [], state)], []
    for t in range(1, max_length + 1):
        candidates = []
        for total, tokens, before in live:
            last = torch.tensor([[(tokens or [BOS])[-1]]])
            log_probs, new, _ = step(last, memory, state if flaw == "first state" else before)
            for token, gain in enumerate(log_probs[0, 0].tolist()):
                if gain > -math.inf and token not in (PAD, BOS):
                    candidates.append((total + gain, [*tokens, token], new))
        candidates.sort(key=lambda x: -x[0])
        live, room = [], beam_size
        for total, tokens, after in candidates:
            if len(live) >= room:
                break
            if tokens[-1] == EOS:
                length = max(t - 1, 1) if flaw == "no eos" else t
                score = total / search.length_penalty(float(length), alpha, penalty)
                done.append((score, tokens[:-1], total))
                room -= flaw == "takes a place"
            else:
                live.append((total, tokens, new if flaw == "last state" else after))
        if not live or done and flaw == "first ending":
            break
    if not done:
        return live[0][1], live[0][0]
    _, tokens, total = max(done, key=lambda x: x[0])
    return tokens, total


def _best_score(call: Call) -> str | None:
    def described(tokens: list[int], log_prob: float) -> tuple[str, float]:
        what, n = f"{list(tokens)} with log-probability {log_prob:.3f}", len(tokens) + 1
        if n > call.max_length:
            return f"{what}, which has not ended", -math.inf
        score = log_prob / search.length_penalty(float(n), call.alpha, call.penalty)
        return f"{what}, score {score:.3f} for {n} tokens, eos counted", score

    if list(call.result[0]) == list(call.expected[0]):
        return None
    (result, my_score), (expected, best) = described(*call.result), described(*call.expected)
    message = f"A beam of {call.beam_size} finds {expected}. Yours finds {result}."
    if my_score == -math.inf:
        return message + " Return a prefix, the most probable one, only where nothing has ended."
    if my_score > best + 1e-6:
        return message + (
            f" That scores higher, but no beam of {call.beam_size} finds it. Do you keep more than "
            f"{call.beam_size} prefixes in all, or count an eos that is less probable than these?"
        )
    return message + (
        " You found the better one but did not choose it, or dropped one of its prefixes. At "
        f"every step the {call.beam_size} most probable prefixes continue, and every eos above "
        "them is finished. Of all finished ones, the highest score wins."
    )


#: A flaw of the search, and its diagnosis.
_FLAWS = {
    "first ending": "You stop when the first hypothesis ends, or take that one. A better one may "
    "still be alive: continue to max_length, or until none can catch up, and compare the "
    "scores.",
    "takes a place": "A hypothesis that has ended takes a place in the beam at that step. Set it "
    "aside: K prefixes that have not ended must continue.",
    "alpha": "The finished hypotheses are ranked by log-probability alone: alpha has no effect.",
    "penalty": "The argument penalty has no effect: pass it on to length_penalty.",
    "no eos": "The length in the penalty does not count the eos. A hypothesis that ends at step t "
    "has t tokens.",
    "first state": "Every step gets the initial state. A continuation starts from the state that "
    "its own prefix's step returned.",
    "last state": "All continuations get the state of the last prefix. A continuation starts from "
    "the state that its own prefix's step returned.",
}

CHECK = Exercise(
    beam_tokens,
    inputs=_to_search,
    rules={
        **WRITTEN,
        "the hypothesis with the highest score is found": _best_score,
        **OF_THE_MODEL,
    },
    mistakes={diagnosis: partial(_flawed, flaw) for flaw, diagnosis in _FLAWS.items()},
)
