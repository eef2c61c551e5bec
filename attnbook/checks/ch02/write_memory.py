"""Exercise 2.1: ``write_memory``."""

from typing import Any

import torch

from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.recurrent import beside
from attnbook.exercises import Call, Exercise, Function


def write_memory(cell: Any, pre_input: Any, pre_forget: Any, pre_candidate: Any) -> Any:
    """c_t = σ(pre_forget) ⊙ c_{t−1} + σ(pre_input) ⊙ tanh(pre_candidate), (B, H)."""
    old_part = torch.sigmoid(pre_forget) * cell
    return old_part + torch.sigmoid(pre_input) * torch.tanh(pre_candidate)


def _memory_inputs() -> Inputs:
    names = ("cell", "pre_input", "pre_forget", "pre_candidate")
    yield {name: torch.tensor([[value]]) for name, value in zip(names, (2.0, 0.0, 1.0, -1.0))}
    make = normal(9)
    for batch, units in ((2, 3), (4, 5)):
        yield {name: make(batch, units) for name in names}


def _one_gate_shut(call: Call) -> str | None:
    """One gate shut: what the other lets through; and then the sum of the two."""
    shut = torch.full_like(call.cell, -200.0)
    old_part = torch.sigmoid(call.pre_forget) * call.cell
    new_part = torch.sigmoid(call.pre_input) * torch.tanh(call.pre_candidate)
    for gate, formula, expected in (
        ("input", "σ(pre_forget) ⊙ c", old_part),
        ("forget", "σ(pre_input) ⊙ tanh(pre_candidate)", new_part),
    ):
        if unlike := beside(expected, call(**{f"pre_{gate}": shut})):
            return (
                f"With the {gate} gate shut (pre-activation −200) only {formula} is left, which is "
                f"{unlike}."
            )
    return None


def _variant(combine: Function) -> Function:
    """The old memory c, the gates i and f, and the candidate g put together in another way."""
    return lambda cell, pre_input, pre_forget, pre_candidate: combine(
        cell, pre_input.sigmoid(), pre_forget.sigmoid(), pre_candidate.tanh()
    )


CHECK = Exercise(
    "write_memory",
    reference=write_memory,
    inputs=_memory_inputs,
    rules={
        "one gate shut: what the other lets through is left": _one_gate_shut,
    },
    mistakes={
        "The candidate goes through σ, so nothing negative can be written. It takes the tanh.": (
            lambda cell, pre_input, pre_forget, pre_candidate: (
                pre_forget.sigmoid() * cell + pre_input.sigmoid() * pre_candidate.sigmoid()
            )
        ),
        "The two gates are exchanged: f multiplies the old memory, i the candidate.": (
            _variant(lambda c, i, f, g: i * c + f * g)
        ),
        "f and 1 − f are used: that is one gate for both. An LSTM has an input gate of its "
        "own.": _variant(lambda c, i, f, g: f * c + (1 - f) * g),
        "The forget gate is the wrong way round: f = 1 keeps the memory.": (
            _variant(lambda c, i, f, g: (1 - f) * c + i * g)
        ),
        "The new memory goes through a tanh. It stays as it is: the tanh comes when it is "
        "read.": _variant(lambda c, i, f, g: torch.tanh(f * c + i * g)),
    },
)
