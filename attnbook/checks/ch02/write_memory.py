"""Exercise 2.1: ``write_memory``."""

from typing import Any

import torch

from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.recurrent import beside
from attnbook.exercises import Call, Exercise


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


CHECK = Exercise(
    write_memory,
    inputs=_memory_inputs,
    rules={
        "one gate shut: what the other lets through is left": _one_gate_shut,
    },
    mistakes={
        "The two gates are exchanged: f multiplies the old memory, i the candidate.": (
            lambda pre_input, pre_forget, **others: write_memory(
                pre_input=pre_forget, pre_forget=pre_input, **others
            )
        ),
        "The new memory goes through a tanh. It stays as it is: the tanh comes when it is "
        "read.": lambda **arguments: torch.tanh(write_memory(**arguments)),
    },
)
