"""Exercise 2.1: ``write_memory``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch02.shared import listed
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise


def write_memory(cell: Any, input_sum: Any, forget_sum: Any, candidate_sum: Any) -> Any:
    """c_t = σ(forget_sum) ⊙ c_{t−1} + σ(input_sum) ⊙ tanh(candidate_sum), all (B, H)."""
    kept = torch.sigmoid(forget_sum) * cell
    return kept + torch.sigmoid(input_sum) * torch.tanh(candidate_sum)


Sums = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]


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


def _one_road(call: Call) -> str | None:
    """One gate shut: what the other lets through."""
    shut = torch.full_like(call.cell, -200.0)
    roads = {
        "With the input gate shut (sum −200) only σ(forget_sum) ⊙ c is left": (
            call(input_sum=shut),
            torch.sigmoid(call.forget_sum) * call.cell,
        ),
        "With the forget gate shut (sum −200) only σ(input_sum) ⊙ tanh(candidate_sum) is left": (
            call(forget_sum=shut),
            torch.sigmoid(call.input_sum) * torch.tanh(call.candidate_sum),
        ),
    }
    for road, (mine, right) in roads.items():
        if not torch.allclose(mine, right, atol=1e-5):
            return f"{road}, which is {listed(right)}; yours is {listed(mine)}."
    return None


def _made(made: Sums) -> Callable[..., Tensor]:
    return lambda cell, input_sum, forget_sum, candidate_sum: made(
        cell, input_sum, forget_sum, candidate_sum
    )


_S, _T = torch.sigmoid, torch.tanh
_BRACKET = (
    "A bracket is in the wrong place: f multiplies the old memory only, i the candidate only."
)
_WRITTEN: list[tuple[str, Sums]] = [
    (
        "Nothing is forgotten: the old memory goes through f, σ(forget_sum).",
        lambda c, i, f, g: c + _S(i) * _T(g),
    ),
    (
        "The candidate is written in full: it goes through i, σ(input_sum).",
        lambda c, i, f, g: _S(f) * c + _T(g),
    ),
    (_BRACKET, lambda c, i, f, g: _S(f) * (c + _S(i) * _T(g))),
    (_BRACKET, lambda c, i, f, g: _S(i) * (c * _S(f) + _T(g))),
    ("The old memory is not used.", lambda c, i, f, g: _S(i) * _T(g)),
    ("Nothing new is written.", lambda c, i, f, g: _S(f) * c),
    (
        "The gates take no σ: a gate is a share between 0 and 1.",
        lambda c, i, f, g: f * c + i * _T(g),
    ),
    (
        "The gates go through tanh. A gate is a share between 0 and 1, a σ.",
        lambda c, i, f, g: _T(f) * c + _T(i) * _T(g),
    ),
    (
        "One of the gates goes through tanh. A gate is a share between 0 and 1, a σ.",
        lambda c, i, f, g: _S(f) * c + _T(i) * _T(g),
    ),
    (
        "One of the gates goes through tanh. A gate is a share between 0 and 1, a σ.",
        lambda c, i, f, g: _T(f) * c + _S(i) * _T(g),
    ),
    (
        "A gate takes no σ: a gate is a share between 0 and 1.",
        lambda c, i, f, g: f * c + _S(i) * _T(g),
    ),
    (
        "A gate takes no σ: a gate is a share between 0 and 1.",
        lambda c, i, f, g: _S(f) * c + i * _T(g),
    ),
    (
        "The old memory goes through a tanh before it is kept. It stays as it is.",
        lambda c, i, f, g: _S(f) * _T(c) + _S(i) * _T(g),
    ),
    ("The two parts are subtracted. They are added.", lambda c, i, f, g: _S(f) * c - _S(i) * _T(g)),
    ("The two parts are multiplied. They are added.", lambda c, i, f, g: _S(f) * c * _S(i) * _T(g)),
    (
        "The input gate is the wrong way round: i = 1 writes.",
        lambda c, i, f, g: _S(f) * c + (1 - _S(i)) * _T(g),
    ),
    (
        "i and 1 − i are used: that is one gate for both. An LSTM has a forget gate of its own.",
        lambda c, i, f, g: (1 - _S(i)) * c + _S(i) * _T(g),
    ),
    (
        "Two sums are exchanged: σ takes input_sum and forget_sum, tanh candidate_sum.",
        lambda c, i, f, g: _S(f) * c + _S(g) * _T(i),
    ),
]


CHECK = Exercise(
    "write_memory",
    reference=write_memory,
    inputs=_memory_inputs,
    rules={
        "input gate shut, forget gate open: the memory stays": _open_and_shut,
        "one gate shut: what the other lets through is left": _one_road,
    },
    mistakes=[
        (
            "The sums are used as they are. A gate is a share, so its sum goes through σ, and the "
            "candidate's through tanh.",
            lambda cell, input_sum, forget_sum, candidate_sum: (
                forget_sum * cell + input_sum * candidate_sum
            ),
        ),
        (
            "The candidate is not bent: its sum goes through tanh.",
            lambda cell, input_sum, forget_sum, candidate_sum: (
                torch.sigmoid(forget_sum) * cell + torch.sigmoid(input_sum) * candidate_sum
            ),
        ),
        (
            "The candidate goes through σ, so nothing negative can be written. It takes the tanh.",
            lambda cell, input_sum, forget_sum, candidate_sum: (
                torch.sigmoid(forget_sum) * cell
                + torch.sigmoid(input_sum) * torch.sigmoid(candidate_sum)
            ),
        ),
        (
            "The two gates are exchanged: f multiplies the old memory, i the candidate.",
            lambda cell, input_sum, forget_sum, candidate_sum: (
                torch.sigmoid(input_sum) * cell
                + torch.sigmoid(forget_sum) * torch.tanh(candidate_sum)
            ),
        ),
        (
            "f and 1 − f are used: that is one gate for both. An LSTM has an input gate of its "
            "own.",
            lambda cell, input_sum, forget_sum, candidate_sum: (
                torch.sigmoid(forget_sum) * cell
                + (1 - torch.sigmoid(forget_sum)) * torch.tanh(candidate_sum)
            ),
        ),
        (
            "The forget gate is the wrong way round: f = 1 keeps the memory.",
            lambda cell, input_sum, forget_sum, candidate_sum: (
                (1 - torch.sigmoid(forget_sum)) * cell
                + torch.sigmoid(input_sum) * torch.tanh(candidate_sum)
            ),
        ),
        (
            "The new memory is bent by a tanh. It stays as it is: the tanh comes when it is read.",
            lambda cell, input_sum, forget_sum, candidate_sum: torch.tanh(
                torch.sigmoid(forget_sum) * cell
                + torch.sigmoid(input_sum) * torch.tanh(candidate_sum)
            ),
        ),
        *((said, _made(made)) for said, made in _WRITTEN),
    ],
)
