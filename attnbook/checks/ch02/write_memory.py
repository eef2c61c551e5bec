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


def _memory_inputs() -> Inputs:
    names = ("cell", "input_sum", "forget_sum", "candidate_sum")
    yield {name: torch.tensor([[value]]) for name, value in zip(names, (2.0, 0.0, 1.0, -1.0))}
    make = normal(9)
    for batch, units in ((2, 3), (4, 5)):
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
    only_kept = torch.sigmoid(call.forget_sum) * call.cell
    only_written = torch.sigmoid(call.input_sum) * torch.tanh(call.candidate_sum)
    for gate, formula, right in (
        ("input", "σ(forget_sum) ⊙ c", only_kept),
        ("forget", "σ(input_sum) ⊙ tanh(candidate_sum)", only_written),
    ):
        mine = call(**{f"{gate}_sum": shut})
        if not torch.allclose(mine, right, atol=1e-5):
            return (
                f"With the {gate} gate shut (sum −200) only {formula} is left, which is "
                f"{listed(right)}; yours is {listed(mine)}."
            )
    return None


def _made(made: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The old memory c, the gates i and f, and the candidate g put together in another way."""
    return lambda cell, input_sum, forget_sum, candidate_sum: made(
        cell, input_sum.sigmoid(), forget_sum.sigmoid(), candidate_sum.tanh()
    )


def _of_sums(made: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The same of the bare sums."""
    return lambda cell, input_sum, forget_sum, candidate_sum: made(
        cell, input_sum, forget_sum, candidate_sum
    )


_BRACKET = (
    "A bracket is in the wrong place: f multiplies the old memory only, i the candidate only."
)
_NO_GATE = "A gate takes no σ: a gate is a share between 0 and 1."
_TANH = "One of the gates goes through tanh. A gate is a share between 0 and 1, a σ."


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
            _of_sums(lambda c, i, f, g: f * c + i * g),
        ),
        (
            "The candidate is not bent: its sum goes through tanh.",
            _of_sums(lambda c, i, f, g: f.sigmoid() * c + i.sigmoid() * g),
        ),
        (
            "The candidate goes through σ, so nothing negative can be written. It takes the tanh.",
            _of_sums(lambda c, i, f, g: f.sigmoid() * c + i.sigmoid() * g.sigmoid()),
        ),
        (
            "The gates take no σ: a gate is a share between 0 and 1.",
            _of_sums(lambda c, i, f, g: f * c + i * g.tanh()),
        ),
        (_NO_GATE, _of_sums(lambda c, i, f, g: f * c + i.sigmoid() * g.tanh())),
        (_NO_GATE, _of_sums(lambda c, i, f, g: f.sigmoid() * c + i * g.tanh())),
        (
            "The gates go through tanh. A gate is a share between 0 and 1, a σ.",
            _of_sums(lambda c, i, f, g: f.tanh() * c + i.tanh() * g.tanh()),
        ),
        (_TANH, _of_sums(lambda c, i, f, g: f.sigmoid() * c + i.tanh() * g.tanh())),
        (_TANH, _of_sums(lambda c, i, f, g: f.tanh() * c + i.sigmoid() * g.tanh())),
        (
            "Two sums are exchanged: σ takes input_sum and forget_sum, tanh candidate_sum.",
            _of_sums(lambda c, i, f, g: write_memory(c, g, f, i)),
        ),
        (
            "The two gates are exchanged: f multiplies the old memory, i the candidate.",
            _of_sums(lambda c, i, f, g: write_memory(c, f, i, g)),
        ),
        (
            "f and 1 − f are used: that is one gate for both. An LSTM has an input gate of its "
            "own.",
            _made(lambda c, i, f, g: f * c + (1 - f) * g),
        ),
        (
            "i and 1 − i are used: that is one gate for both. An LSTM has a forget gate of its "
            "own.",
            _made(lambda c, i, f, g: (1 - i) * c + i * g),
        ),
        (
            "The forget gate is the wrong way round: f = 1 keeps the memory.",
            _made(lambda c, i, f, g: (1 - f) * c + i * g),
        ),
        (
            "The input gate is the wrong way round: i = 1 writes.",
            _made(lambda c, i, f, g: f * c + (1 - i) * g),
        ),
        (
            "The new memory is bent by a tanh. It stays as it is: the tanh comes when it is read.",
            _made(lambda c, i, f, g: torch.tanh(f * c + i * g)),
        ),
        (
            "The old memory goes through a tanh before it is kept. It stays as it is.",
            _made(lambda c, i, f, g: f * c.tanh() + i * g),
        ),
        (
            "Nothing is forgotten: the old memory goes through f, σ(forget_sum).",
            _made(lambda c, i, f, g: c + i * g),
        ),
        (
            "The candidate is written in full: it goes through i, σ(input_sum).",
            _made(lambda c, i, f, g: f * c + g),
        ),
        (_BRACKET, _made(lambda c, i, f, g: f * (c + i * g))),
        (_BRACKET, _made(lambda c, i, f, g: i * (c * f + g))),
        ("The old memory is not used.", _made(lambda c, i, f, g: i * g)),
        ("Nothing new is written.", _made(lambda c, i, f, g: f * c)),
        ("The two parts are subtracted. They are added.", _made(lambda c, i, f, g: f * c - i * g)),
        ("The two parts are multiplied. They are added.", _made(lambda c, i, f, g: f * c * i * g)),
    ],
)
