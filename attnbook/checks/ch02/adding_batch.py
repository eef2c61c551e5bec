"""Exercise 2.7: ``adding_batch``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch02.shared import Pair, listed
from attnbook.checks.shared import Inputs, first_for_all, only_a_part
from attnbook.exercises import Call, Exercise


def adding_batch(values: Tensor, first: Tensor, second: Tensor) -> Pair:
    """(inputs (B, T, 2): number and mark, targets (B,)). values (B, T), positions (B,) each."""
    rows = torch.arange(len(values))
    marks = torch.zeros_like(values)
    marks[rows, first] = 1.0
    marks[rows, second] = 1.0
    return torch.stack([values, marks], dim=-1), (values * marks).sum(1)


def _adding_inputs() -> Inputs:
    rows = [[0.1, 0.5, 0.2, 0.9]]
    yield {"values": torch.tensor(rows), "first": torch.tensor([1]), "second": torch.tensor([3])}
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
    for row, (line, first, second) in enumerate(
        zip(marks, call.first.tolist(), call.second.tolist())
    ):
        found = line.nonzero().flatten().tolist()
        if found != [first, second]:
            return (
                f"In row {row} the marks should stand at {first} and {second}; yours stand at "
                f"{found}. (They are read from feature 1, inputs[..., 1].)"
            )
    return None


def _marks_are_one(call: Call) -> str | None:
    marks = call.result[0][..., 1]
    off = marks[(marks != 0) & (marks != 1)]
    return f"A mark is 1; there is a {float(off[0]):.4g}." if len(off) else None


def _sum_of_marked(call: Call) -> str | None:
    wanted = call.expected[1]
    far = (call.result[1] - wanted).abs() > 1e-5
    if not far.any():
        return None
    row = int(far.int().argmax())
    return (
        f"The marked numbers of row {row} sum to {float(wanted[row]):.4g}; "
        f"your target is {float(call.result[1][row]):.4g}."
    )


def _changed(change: Callable[..., Any]) -> Callable[..., Any]:
    """The right inputs x and targets y, changed; a and b are the positions."""
    return lambda values, first, second: change(*adding_batch(values, first, second), first, second)


def _marked(values: Tensor, marks: Tensor) -> Pair:
    return torch.stack([values, marks], dim=-1), (values * marks).sum(1)


def _with_marks(make: Callable[[Tensor, Tensor], Tensor]) -> list[Callable[..., Pair]]:
    """Marks made of the two right ones (rows of 0 and one 1); the target made of them, or right."""

    def made(values: Tensor, first: Tensor, second: Tensor) -> Pair:
        one, other = (torch.eye(values.shape[1])[place] for place in (first, second))
        return _marked(values, make(one, other))

    return [
        made,
        lambda values, first, second: (
            made(values, first, second)[0],
            adding_batch(values, first, second)[1],
        ),
    ]


def _in_all_rows(values: Tensor, first: Tensor, second: Tensor) -> Pair:
    marks = torch.zeros_like(values)
    marks[:, first], marks[:, second] = 1.0, 1.0
    return _marked(values, marks)


_MARKS: list[tuple[str, Callable[[Tensor, Tensor], Tensor]]] = [
    (
        "Everything between the two positions is marked. Only the two are.",
        lambda one, other: one.cumsum(1) - other.cumsum(1) + other,
    ),
    ("Only the first position is marked. There are two.", lambda one, other: one),
    ("Only the second position is marked. There are two.", lambda one, other: other),
    (
        "The positions of the first row serve for all. Each row has its own.",
        lambda one, other: first_for_all(one + other),
    ),
    (
        "The second mark is 2. A mark says only where: both are 1.",
        lambda one, other: one + 2 * other,
    ),
    (
        "Positions are counted from 0 here, as Python counts: nothing is to be added.",
        lambda one, other: (one + other).roll(1, 1),
    ),
    (
        "The marks are the wrong way round: 1 where nothing is to be added.",
        lambda one, other: 1 - one - other,
    ),
    ("Nothing is marked.", lambda one, other: 0 * one),
    (
        "Where a mark should be stands the position. A mark is a 1 at the position.",
        lambda one, other: (one + other) * torch.arange(one.shape[1]),
    ),
]
_ROW = "The target is one number for the whole batch. Each row has its own, (B,)."

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
            _in_all_rows,
        ),
        (
            "Positions are counted from 0 here, as Python counts: nothing is to be subtracted.",
            lambda values, first, second: adding_batch(values, first - 1, second - 1),
        ),
        *((said, function) for said, make in _MARKS for function in _with_marks(make)),
        (
            "The target is the sum of all numbers. Only the marked two count.",
            _changed(lambda x, y, a, b: (x, x[..., 0].sum(1))),
        ),
        (
            "The target is the mean of the two marked numbers. Asked for is their sum.",
            _changed(lambda x, y, a, b: (x, y / 2)),
        ),
        (
            "The target is the product of the two marked numbers. Asked for is their sum.",
            _changed(lambda x, y, a, b: (x, x[..., 0].gather(1, torch.stack([a, b], 1)).prod(1))),
        ),
        (
            "The target is the difference of the two numbers. Asked for is their sum.",
            _changed(lambda x, y, a, b: (x, y - 2 * x[range(len(b)), b, 0])),
        ),
        ("The target has the wrong sign.", _changed(lambda x, y, a, b: (x, -y))),
        (
            "The positions are added up. The target is the sum of the numbers that stand there.",
            _changed(lambda x, y, a, b: (x, (a + b).to(y))),
        ),
        (_ROW, _changed(lambda x, y, a, b: (x, y.sum()))),
        (_ROW, _changed(lambda x, y, a, b: (x, y.sum().repeat(len(y))))),
        (_ROW, _changed(lambda x, y, a, b: (x, y.mean()))),
        (
            "The target is a column (B, 1). Asked for is (B,).",
            _changed(lambda x, y, a, b: (x, y[:, None])),
        ),
        (
            "The two features are exchanged: the numbers come first, then the marks.",
            _changed(lambda x, y, a, b: (x.flip(-1), y)),
        ),
        (
            "The features come before time, (B, 2, T). They come last: stack along dim=-1.",
            _changed(lambda x, y, a, b: (x.mT, y)),
        ),
        (
            "The features come first of all, (2, B, T). They come last: stack along dim=-1.",
            _changed(lambda x, y, a, b: (x.movedim(2, 0), y)),
        ),
        (
            "Numbers and marks stand one after the other along time, (B, 2T). Stack them along a "
            "new last dimension.",
            _changed(lambda x, y, a, b: (x.mT.flatten(1), y)),
        ),
        (
            "Feature 1 holds the marked numbers themselves. Then there is nothing left to find: "
            "the mark is a bare 1.",
            _changed(lambda x, y, a, b: (torch.stack([x[..., 0], x.prod(-1)], -1), y)),
        ),
        (
            "The numbers that are not marked become 0 in the inputs. All stay: to ignore them is "
            "the network's task.",
            _changed(lambda x, y, a, b: (torch.stack([x.prod(-1), x[..., 1]], -1), y)),
        ),
        *only_a_part(adding_batch, "inputs", "targets"),
    ],
)
