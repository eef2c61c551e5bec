"""Exercise 2.7: ``adding_batch``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch02.shared import Pair, listed
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise


def adding_batch(values: Tensor, first: Tensor, second: Tensor) -> Pair:
    """(inputs (B, T, 2): number and mark, targets (B,)). values (B, T), positions (B,) each."""
    rows = torch.arange(len(values))
    marks = torch.zeros_like(values)
    marks[rows, first] = 1.0
    marks[rows, second] = 1.0
    return torch.stack([values, marks], dim=-1), (values * marks).sum(1)


def _adding_inputs() -> Inputs:
    yield {
        "values": torch.tensor([[0.1, 0.5, 0.2, 0.9]]),
        "first": torch.tensor([1]),
        "second": torch.tensor([3]),
    }
    yield {  # two rows, with other positions
        "values": torch.tensor([[0.5, 0.25, 0.75], [0.1, 0.2, 0.4]]),
        "first": torch.tensor([0, 1]),
        "second": torch.tensor([1, 2]),
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


def _holds_numbers(call: Call) -> str | None:
    numbers = call.result[0][..., 0]
    if torch.allclose(numbers, call.values, atol=1e-6):
        return None
    return (
        f"inputs[0, :, 0] should be the numbers of row 0, {listed(call.values[0])}; it is "
        f"{listed(numbers[0])}."
    )


def _two_marks(call: Call) -> str | None:
    marks = call.result[0][..., 1]
    for row, (line, first, second) in enumerate(zip(marks, call.first, call.second)):
        found = line.nonzero().flatten().tolist()
        if found != [int(first), int(second)]:
            return (
                f"In row {row} the marks should stand at {int(first)} and {int(second)}; yours "
                f"stand at {found}. (They are read from feature 1, inputs[..., 1].)"
            )
    return None


def _marks_are_one(call: Call) -> str | None:
    marks = call.result[0][..., 1]
    off = marks[(marks != 0) & (marks != 1)]
    return f"A mark is 1; there is a {float(off[0]):.4g}." if len(off) else None


def _sum_of_marked(call: Call) -> str | None:
    rows = range(len(call.values))
    wanted = [float(call.values[r, call.first[r]] + call.values[r, call.second[r]]) for r in rows]
    far = (call.result[1] - torch.tensor(wanted).to(call.result[1])).abs() > 1e-5
    if not far.any():
        return None
    row = int(far.int().argmax())
    return (
        f"The marked numbers of row {row} sum to {wanted[row]:.4g}; "
        f"your target is {float(call.result[1][row]):.4g}."
    )


def _between(values: Tensor, first: Tensor, second: Tensor) -> Tensor:
    places = torch.arange(values.shape[1])
    return ((places >= first[:, None]) & (places <= second[:, None])).to(values)


def _marked(values: Tensor, *positions: Tensor) -> Tensor:
    marks = torch.zeros_like(values)
    for position in positions:
        marks[torch.arange(len(values)), position] = 1.0
    return marks


def _remarked(marks: Callable[[Tensor, Tensor, Tensor], Tensor]) -> list[Callable[..., Pair]]:
    """Other marks; the target made of them, or the right one."""
    return [
        lambda values, first, second: _with_marks(values, marks(values, first, second)),
        lambda values, first, second: (
            _with_marks(values, marks(values, first, second))[0],
            _adding(values, first, second)[1],
        ),
    ]


_MARKS: list[tuple[str, Callable[[Tensor, Tensor, Tensor], Tensor]]] = [
    ("Everything between the two positions is marked. Only the two are.", _between),
    ("Only the first position is marked. There are two.", lambda v, a, b: _marked(v, a)),
    ("Only the second position is marked. There are two.", lambda v, a, b: _marked(v, b)),
    (
        "The positions of the first row serve for all. Each row has its own.",
        lambda v, a, b: _marked(v, a[:1].expand_as(a), b[:1].expand_as(b)),
    ),
    (
        "The second mark is 2. A mark says only where: both are 1.",
        lambda v, a, b: _marked(v, a) + 2 * _marked(v, b),
    ),
    (
        "Positions are counted from 0 here, as Python counts: nothing is to be added.",
        lambda v, a, b: _marked(v, (a + 1) % v.shape[1], (b + 1) % v.shape[1]),
    ),
    (
        "The marks are the wrong way round: 1 where nothing is to be added.",
        lambda v, a, b: 1 - _marked(v, a, b),
    ),
    ("Nothing is marked.", lambda v, a, b: torch.zeros_like(v)),
    (
        "Where a mark should be stands the position. A mark is a 1 at the position.",
        lambda v, a, b: _marked(v, a) * a[:, None] + _marked(v, b) * b[:, None],
    ),
]
_ROW = "The target is one number for the whole batch. Each row has its own, (B,)."
Made = Callable[[Tensor, Tensor, Tensor, Tensor], Any]
_PUT: list[tuple[str, Made]] = [
    (
        "The positions are added up. The target is the sum of the numbers that stand there.",
        lambda x, y, a, b: (x, (a + b).to(y)),
    ),
    (_ROW, lambda x, y, a, b: (x, y.sum())),
    (_ROW, lambda x, y, a, b: (x, y.sum().expand_as(y).clone())),
    (_ROW, lambda x, y, a, b: (x, y.mean())),
    ("The target is a column (B, 1). Asked for is (B,).", lambda x, y, a, b: (x, y[:, None])),
    (
        "The features come before time, (B, 2, T). They come last: stack along dim=-1.",
        lambda x, y, a, b: (x.transpose(1, 2).contiguous(), y),
    ),
    (
        "The features come first of all, (2, B, T). They come last: stack along dim=-1.",
        lambda x, y, a, b: (x.movedim(2, 0).contiguous(), y),
    ),
    (
        "Numbers and marks stand one after the other along time, (B, 2T). Stack them along a new "
        "last dimension.",
        lambda x, y, a, b: (torch.cat([x[..., 0], x[..., 1]], dim=-1), y),
    ),
    ("The order is (inputs, targets): the two are exchanged.", lambda x, y, a, b: (y, x)),
    ("Only the inputs come back. Return a pair: inputs and targets.", lambda x, y, a, b: x),
    ("The target has the wrong sign.", lambda x, y, a, b: (x, -y)),
    (
        "The target is the difference of the two numbers. Asked for is their sum.",
        lambda x, y, a, b: (x, (x[..., 0] * x[..., 1]).sum(1) - 2 * x[range(len(a)), b, 0]),
    ),
    (
        "The numbers that are not marked become 0 in the inputs. All stay: to ignore them is the "
        "network's task.",
        lambda x, y, a, b: (torch.stack([x[..., 0] * x[..., 1], x[..., 1]], dim=-1), y),
    ),
]


def _put(made: Made) -> Callable[..., Any]:
    return lambda values, first, second: made(*_adding(values, first, second), first, second)


CHECK = Exercise(
    "adding_batch",
    reference=adding_batch,
    inputs=_adding_inputs,
    rules={
        "feature 0 holds the numbers": _holds_numbers,
        "feature 1 marks two positions of each row": _two_marks,
        "a mark is 1, everything else 0": _marks_are_one,
        "the target is the sum of the two": _sum_of_marked,
    },
    gradients=(),  # data; nothing goes back through that
    mistakes=[
        (
            "`marks[:, first] = 1` marks the positions of *all* rows in every row. Pair each row "
            "with its own position: `marks[rows, first]` with rows = 0, 1, 2, …",
            _marks_for_all,
        ),
        (
            "The target is the sum of all numbers. Only the marked two count.",
            lambda values, first, second: (_adding(values, first, second)[0], values.sum(1)),
        ),
        (
            "The target is the mean of the two marked numbers. Asked for is their sum.",
            lambda values, first, second: (
                _adding(values, first, second)[0],
                _adding(values, first, second)[1] / 2,
            ),
        ),
        (
            "The two features are exchanged: the numbers come first, then the marks.",
            lambda values, first, second: (
                _adding(values, first, second)[0].flip(-1),
                _adding(values, first, second)[1],
            ),
        ),
        (
            "Positions are counted from 0 here, as Python counts: nothing is to be subtracted.",
            lambda values, first, second: _adding(values, first - 1, second - 1),
        ),
        (
            "The target is the product of the two marked numbers. Asked for is their sum.",
            lambda values, first, second: (
                _adding(values, first, second)[0],
                values.gather(1, torch.stack([first, second], 1)).prod(1),
            ),
        ),
        (
            "Feature 1 holds the marked numbers themselves. Then there is nothing left to find: "
            "the mark is a bare 1.",
            lambda values, first, second: (
                torch.stack([values, values * _adding(values, first, second)[0][..., 1]], dim=-1),
                _adding(values, first, second)[1],
            ),
        ),
        *((said, made) for said, marks in _MARKS for made in _remarked(marks)),
        *((said, _put(made)) for said, made in _PUT),
    ],
)
