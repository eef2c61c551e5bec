"""Exercise 3.1: ``lengths_to_mask``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake
from attnlib import masking


def _lengths() -> Inputs:
    yield {"lengths": torch.tensor([1, 2]), "size": None}
    yield {"lengths": torch.tensor([2, 3]), "size": 3}
    yield {"lengths": torch.tensor([1, 4, 2]), "size": 6}
    yield {"lengths": torch.tensor([5]), "size": None}


def _positions(lengths: Tensor, size: int | None) -> Tensor:
    return torch.arange(int(lengths.max()) if size is None else size)


def _as_many_as_lengths(call: Call) -> str | None:
    for length, row in zip(call.lengths.tolist(), call.result):
        if int(row.sum()) != length:
            return (
                f"A row of length {length} has {int(row.sum())} real positions in the mask. "
                "Count from 0: which is the last real position?"
            )
    return None


CHECK = Exercise(
    "lengths_to_mask",
    reference=masking.lengths_to_mask,
    inputs=_lengths,
    rules={"every row has as many True as its length": _as_many_as_lengths},
    mistakes=[
        Mistake(
            "The mask is the wrong way round: in this book True marks a real token, not padding.",
            lambda lengths, size: _positions(lengths, size) >= lengths.unsqueeze(1),
        ),
        Mistake(
            "One position too many is real. Positions count from 0, so the last one of a row of "
            "length n is n − 1.",
            lambda lengths, size: _positions(lengths, size) <= lengths.unsqueeze(1),
        ),
        Mistake(
            "Only the last real token is marked. All positions before it are real as well.",
            lambda lengths, size: _positions(lengths, size) == lengths.unsqueeze(1) - 1,
        ),
        Mistake(
            "The padding stands in front here. In this book it comes last.",
            lambda lengths, size: (_positions(lengths, size) < lengths.unsqueeze(1)).flip(1),
        ),
        Mistake(
            "size is not used: a batch may be padded further than its longest row.",
            lambda lengths, size: _positions(lengths, None) < lengths.unsqueeze(1),
        ),
        Mistake(
            "Rows and columns are swapped: a row for each sentence, a column for each position.",
            lambda lengths, size: (_positions(lengths, size) < lengths.unsqueeze(1)).T,
        ),
    ],
)
