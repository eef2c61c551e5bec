"""Exercise 2.1: ``write_memory``."""

from __future__ import annotations

import torch

from attnbook.checks.ch02.shared import listed
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _memory_inputs() -> Inputs:
    yield {
        "cell": torch.tensor([[2.0]]),
        "input_sum": torch.tensor([[0.0]]),
        "forget_sum": torch.tensor([[1.0]]),
        "candidate_sum": torch.tensor([[-1.0]]),
    }
    make = normal(9)
    for batch, units in ((2, 3), (4, 5)):
        names = ("cell", "input_sum", "forget_sum", "candidate_sum")
        yield {name: make(batch, units) for name in names}


def _open_and_shut(call: Call) -> str | None:
    wide = torch.full_like(call.cell, 200.0)
    cell = call(input_sum=-wide, forget_sum=wide)
    if torch.allclose(cell, call.cell, atol=1e-4):
        return None
    return (
        "With the input gate shut (sum −200) and the forget gate open (sum 200) the memory should "
        f"stay {listed(call.cell)}; it becomes {listed(cell)}."
    )


CHECK = Exercise(
    "write_memory",
    reference=lambda cell, input_sum, forget_sum, candidate_sum: (
        torch.sigmoid(forget_sum) * cell + torch.sigmoid(input_sum) * torch.tanh(candidate_sum)
    ),
    inputs=_memory_inputs,
    rules={"input gate shut, forget gate open: the memory stays": _open_and_shut},
    mistakes=[
        Mistake(
            "The sums are used as they are. A gate is a share, so its sum goes through σ, and the "
            "candidate's through tanh.",
            lambda cell, input_sum, forget_sum, candidate_sum: (
                forget_sum * cell + input_sum * candidate_sum
            ),
        ),
        Mistake(
            "The candidate is not bent: its sum goes through tanh.",
            lambda cell, input_sum, forget_sum, candidate_sum: (
                torch.sigmoid(forget_sum) * cell + torch.sigmoid(input_sum) * candidate_sum
            ),
        ),
        Mistake(
            "The candidate goes through σ, so nothing negative can be written. It takes the tanh.",
            lambda cell, input_sum, forget_sum, candidate_sum: (
                torch.sigmoid(forget_sum) * cell
                + torch.sigmoid(input_sum) * torch.sigmoid(candidate_sum)
            ),
        ),
        Mistake(
            "The two gates are exchanged: f multiplies the old memory, i the candidate.",
            lambda cell, input_sum, forget_sum, candidate_sum: (
                torch.sigmoid(input_sum) * cell
                + torch.sigmoid(forget_sum) * torch.tanh(candidate_sum)
            ),
        ),
        Mistake(
            "f and 1 − f are used: that is one gate for both. An LSTM has an input gate of its "
            "own.",
            lambda cell, input_sum, forget_sum, candidate_sum: (
                torch.sigmoid(forget_sum) * cell
                + (1 - torch.sigmoid(forget_sum)) * torch.tanh(candidate_sum)
            ),
        ),
        Mistake(
            "The forget gate is the wrong way round: f = 1 keeps the memory.",
            lambda cell, input_sum, forget_sum, candidate_sum: (
                (1 - torch.sigmoid(forget_sum)) * cell
                + torch.sigmoid(input_sum) * torch.tanh(candidate_sum)
            ),
        ),
        Mistake(
            "The new memory is bent by a tanh. It stays as it is: the tanh comes when it is read.",
            lambda cell, input_sum, forget_sum, candidate_sum: torch.tanh(
                torch.sigmoid(forget_sum) * cell
                + torch.sigmoid(input_sum) * torch.tanh(candidate_sum)
            ),
        ),
    ],
)
