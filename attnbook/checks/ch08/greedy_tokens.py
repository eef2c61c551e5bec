"""Exercise 8.2: ``greedy_tokens``."""

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

# greedy_tokens ------------------------------------------------------------------------------------


def _to_walk() -> Inputs:
    yield {"step": TRAP, **start(), "max_length": 4}
    for seed in range(6):
        yield {"step": random_step(seed), **start(), "max_length": 5}
    yield {"step": random_step(7), **start(), "max_length": 1}
    yield {"step": random_step(8, never_ends=True), **start(), "max_length": 3}


def _greedy(flaw: str) -> Callable[..., Answer]:
    """Greedy search with a flaw."""

    def wrong(
        step: Step, memory: Any, state: Any, max_length: int
    ) -> Answer:  # fmt: skip
        tokens, total, last = [], 0.0, BOS
        for _ in range(max_length + (flaw == "long")):
            log_probs, new, _ = step(torch.tensor([[last]]), memory, state)
            row = log_probs[0, 0].clone()
            if flaw != "banned":
                row[[PAD, BOS]] = -math.inf
            if flaw == "absolute":
                row = row.masked_fill(row == -math.inf, 0).abs()
            token = int(row.argmax())
            state = state if flaw == "state" else new
            last = BOS if flaw == "input" else token
            if token != EOS or flaw != "no eos":
                total += float(log_probs[0, 0, token])
            if token == EOS:
                tokens += [EOS] if flaw == "eos" else []
                break
            tokens.append(token)
        return tokens, math.exp(total) if flaw == "exp" else total

    return wrong


def _is_log_prob(call: Call) -> str | None:
    if call.result[1] <= 1e-6:
        return None
    return (
        f"The second number is {call.result[1]:.3g}. A log-probability is never above 0: is it a "
        "probability, or is the sum taken with the wrong sign?"
    )


def _not_longer(call: Call) -> str | None:
    if len(call.result[0]) <= call.max_length:
        return None
    return f"{len(call.result[0])} tokens are written where max_length is {call.max_length}."


CHECK = Exercise(
    "greedy_tokens",
    reference=greedy_reference,
    inputs=_to_walk,
    rules={
        "its second number is a log-probability": _is_log_prob,
        "the eos is not among the tokens": ends_without_eos,
        "it is cut at max_length": _not_longer,
    },
    mistakes=[
        Mistake(
            "This is the probability. Return its logarithm: the sum of the steps' "
            "log-probabilities.",
            _greedy("exp"),
        ),
        Mistake(
            "The eos is among the tokens. Count its log-probability, and leave it out.",
            _greedy("eos"),
        ),
        Mistake(
            "The log-probability of the eos is missing from the sum: ending is a decision, too.",
            _greedy("no eos"),
        ),
        Mistake(
            "Every step is given the state of the start: the model does not know what was written "
            "before. Hand on the state that the step returns.",
            _greedy("state"),
        ),
        Mistake(
            "Every step is fed the start token. From the second step on, feed the token that was "
            "just chosen.",
            _greedy("input"),
        ),
        Mistake(
            "Padding or a second start token is written. Pad (0) and sos (2) may not be chosen.",
            _greedy("banned"),
        ),
        Mistake(
            "This takes the log-probability with the largest absolute value, which is the least "
            "probable token. The largest value is the one nearest to 0.",
            _greedy("absolute"),
        ),
        Mistake(
            "One token too many: max_length counts the eos, so the loop has max_length rounds.",
            _greedy("long"),
        ),
    ],
)
