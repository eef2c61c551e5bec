"""Exercise 3.7: ``bridge``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Exercise, Mistake


def _final_and_weight() -> Inputs:
    yield {
        "final": torch.tensor([[1.0]]),
        "weight": torch.tensor([[0.5], [-2.0]]),
        "bias": torch.tensor([0.0, 1.0]),
    }
    make = normal(5)
    yield {"final": make(2, 4), "weight": make(8, 4), "bias": make(8)}
    yield {"final": make(3, 6), "weight": make(4, 6), "bias": make(4)}


def _start(final: Tensor, weight: Tensor, bias: Tensor) -> tuple[Tensor, ...]:
    return torch.tanh(final @ weight.T + bias).chunk(2, dim=-1)


CHECK = Exercise(
    "bridge",
    reference=_start,
    inputs=_final_and_weight,
    rules={
        "every number lies between −1 and 1": lambda call: (
            None
            if max(float(part.abs().max()) for part in call(final=9 * call.final)) <= 1
            else "Some number is larger than 1. What keeps the first state between −1 and 1?"
        )
    },
    mistakes=[
        Mistake(
            "Hidden and cell state are exchanged: the upper rows of the weight make the hidden "
            "state.",
            lambda final, weight, bias: _start(final, weight, bias)[::-1],
        ),
        Mistake(
            "Where is the bias?",
            lambda final, weight, bias: _start(final, weight, 0 * bias),
        ),
        Mistake(
            "Where is the tanh?",
            lambda final, weight, bias: (final @ weight.T + bias).chunk(2, dim=-1),
        ),
        Mistake(
            "Every second number goes to the cell state here. The first half of the numbers is the "
            "hidden state, the second half the cell state.",
            lambda final, weight, bias: (
                torch.tanh(final @ weight.T + bias)[:, ::2],
                torch.tanh(final @ weight.T + bias)[:, 1::2],
            ),
        ),
        Mistake(
            "The cell state is a copy of the hidden state; it has rows of its own in the weight.",
            lambda final, weight, bias: (_start(final, weight, bias)[0],) * 2,
        ),
        Mistake(
            "The bias is added after the tanh.",
            lambda final, weight, bias: (torch.tanh(final @ weight.T) + bias).chunk(2, dim=-1),
        ),
    ],
)
