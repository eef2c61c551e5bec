"""Exercise 2.7: ``adding_batch``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.ch02.shared import Pair
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake


def _adding_inputs() -> Inputs:
    yield {
        "values": torch.tensor([[0.1, 0.5, 0.2, 0.9]]),
        "first": torch.tensor([1]),
        "second": torch.tensor([3]),
    }
    generator = torch.Generator().manual_seed(7)
    for batch, steps in ((2, 4), (5, 10)):
        half = steps // 2
        yield {
            "values": torch.rand(batch, steps, generator=generator),
            "first": torch.randint(1, half, (batch,), generator=generator),
            "second": half + torch.randint(half, (batch,), generator=generator),
        }


def _adding(values: Tensor, first: Tensor, second: Tensor) -> Pair:
    rows = torch.arange(len(values), device=values.device)
    marks = torch.zeros_like(values)
    marks[rows, first], marks[rows, second] = 1.0, 1.0
    return torch.stack([values, marks], dim=-1), (values * marks).sum(1)


def _with_marks(values: Tensor, marks: Tensor) -> Pair:
    return torch.stack([values, marks], dim=-1), (values * marks).sum(1)


def _marks_for_all(values: Tensor, first: Tensor, second: Tensor) -> Pair:
    marks = torch.zeros_like(values)
    marks[:, first], marks[:, second] = 1.0, 1.0
    return _with_marks(values, marks)


def _two_marks(call: Call) -> str | None:
    marks = call.result[0][..., 1]
    for row, (line, first, second) in enumerate(zip(marks, call.first, call.second)):
        found = line.nonzero().flatten().tolist()
        if found != [int(first), int(second)]:
            return (
                f"In row {row} the marks should stand at {int(first)} and {int(second)}; yours "
                f"stand at {found}. Does each row get its own two, and is the mark feature 1?"
            )
    return None


def _sum_of_marked(call: Call) -> str | None:
    rows = range(len(call.values))
    wanted = [float(call.values[r, call.first[r]] + call.values[r, call.second[r]]) for r in rows]
    if torch.allclose(call.result[1], torch.tensor(wanted).to(call.result[1]), atol=1e-5):
        return None
    return (
        f"The marked numbers of row 0 sum to {wanted[0]:.4g}; "
        f"your target is {float(call.result[1][0]):.4g}."
    )


CHECK = Exercise(
    "adding_batch",
    reference=_adding,
    inputs=_adding_inputs,
    rules={
        "feature 0 holds the numbers": lambda call: torch.equal(
            call.result[0][..., 0], call.values
        ),
        "feature 1 marks two positions of each row": _two_marks,
        "the target is the sum of the two": _sum_of_marked,
    },
    mistakes=[
        Mistake(
            "`marks[:, first] = 1` marks the positions of *all* rows in every row. Pair each row "
            "with its own position: `marks[rows, first]` with rows = 0, 1, 2, …",
            _marks_for_all,
        ),
        Mistake(
            "The target is the sum of all numbers. Only the marked two count.",
            lambda values, first, second: (_adding(values, first, second)[0], values.sum(1)),
        ),
        Mistake(
            "The target is the mean of the two marked numbers. Asked for is their sum.",
            lambda values, first, second: (
                _adding(values, first, second)[0],
                _adding(values, first, second)[1] / 2,
            ),
        ),
        Mistake(
            "The two features are exchanged: the numbers come first, then the marks.",
            lambda values, first, second: (
                _adding(values, first, second)[0].flip(-1),
                _adding(values, first, second)[1],
            ),
        ),
        Mistake(
            "Positions are counted from 0 here, as Python counts: nothing is to be subtracted.",
            lambda values, first, second: _adding(values, first - 1, second - 1),
        ),
        Mistake(
            "The target is the product of the two marked numbers. Asked for is their sum.",
            lambda values, first, second: (
                _adding(values, first, second)[0],
                values.gather(1, torch.stack([first, second], 1)).prod(1),
            ),
        ),
        Mistake(
            "Feature 1 holds the marked numbers themselves. Then there is nothing left to find: "
            "the mark is a bare 1.",
            lambda values, first, second: (
                torch.stack([values, values * _adding(values, first, second)[0][..., 1]], dim=-1),
                _adding(values, first, second)[1],
            ),
        ),
    ],
)
