"""Exercise 3.4: ``last_real``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

import attnlib
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake
from attnlib import masking


def _states() -> Inputs:
    yield {
        "x": torch.tensor([[[1.0], [2.0], [9.0]], [[3.0], [4.0], [5.0]]]),
        "mask": torch.tensor([[True, True, False], [True, True, True]]),
    }
    make = normal(3)
    yield {"x": make(3, 5, 4), "mask": masking.lengths_to_mask(torch.tensor([3, 4, 1]), 5)}
    yield {"x": make(2, 4, 4), "mask": masking.lengths_to_mask(torch.tensor([4, 2]))}


def _at(shift: int) -> Callable[[Tensor, Tensor], Tensor]:
    def pick(x: Tensor, mask: Tensor) -> Tensor:
        where = (mask.sum(1) - 1 + shift).clamp(0, x.shape[1] - 1)
        return x[torch.arange(len(x)), where]

    return pick


def _padding_is_not_read(call: Call) -> str | None:
    touched = call.x.masked_fill(~call.mask.unsqueeze(-1), 7.0)
    if torch.allclose(call(x=touched), call.result):
        return None
    return "When only the numbers at padding change, the result changes: padding has been read."


CHECK = Exercise(
    "last_real",
    reference=attnlib.model.last_real,
    inputs=_states,
    rules={"what stands at padding does not matter": _padding_is_not_read},
    mistakes=[
        Mistake(
            "This is x[:, −1], the last column of the table. For every row but the longest that is "
            "padding.",
            lambda x, mask: x[:, -1],
        ),
        Mistake(
            "One position too far: a row of length n ends at position n − 1.",
            _at(1),
        ),
        Mistake("One position too early: this is the last real state but one.", _at(-1)),
        Mistake("This is the first position, not the last.", lambda x, mask: x[:, 0]),
        Mistake(
            "This is the mean of the real states. Asked for is one of them.",
            lambda x, mask: (x * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True),
        ),
        Mistake(
            "All rows are read where the longest one ends. Each has a last position of its own.",
            lambda x, mask: x[:, int(mask.sum(1).max()) - 1],
        ),
        Mistake(
            "This is the largest number of each feature, not the last.",
            lambda x, mask: x.masked_fill(~mask.unsqueeze(-1), -torch.inf).amax(1),
        ),
    ],
)
