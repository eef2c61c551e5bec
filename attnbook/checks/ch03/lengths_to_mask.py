"""Exercise 3.1: ``lengths_to_mask``."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise


def lengths_to_mask(lengths: Tensor, size: int | None = None) -> Tensor:
    """Mask (B, S) bool of lengths (B,): True where position j < lengths[b]. S = size or longest."""
    size = int(lengths.max()) if size is None else size
    return torch.arange(size, device=lengths.device) < lengths.unsqueeze(1)


def _lengths() -> Inputs:
    yield {"lengths": torch.tensor([5]), "size": None}
    yield {"lengths": torch.tensor([1, 3]), "size": None}
    yield {"lengths": torch.tensor([4, 2]), "size": 5}
    yield {"lengths": torch.tensor([1, 4, 2]), "size": 6}
    yield {"lengths": torch.tensor([2, 0, 5, 3]), "size": None}
    yield {"lengths": torch.tensor([3, 5, 0, 1]), "size": 7}


def _as_many_as_lengths(call: Call) -> str | None:
    for length, row in zip(call.lengths.tolist(), call.result):
        if int(row.sum()) != length:
            return (
                f"A row of length {length} has {int(row.sum())} of its positions marked as real, "
                f"{row.int().tolist()}."
            )
    return None


def _real_come_first(call: Call) -> str | None:
    for length, row, right in zip(call.lengths.tolist(), call.result, call.expected):
        if not torch.equal(row, right):
            places = row.nonzero().flatten().tolist()
            return (
                f"In a row of length {length} the positions {places} are marked; the real ones "
                f"are {list(range(length))}."
            )
    return None


def _longest(lengths: Any, size: Any) -> Any:
    return int(lengths.max()) if size is None else size


def _real(real: Any) -> Any:
    """Other positions (S,) are marked for the lengths (B, 1)."""
    return lambda lengths, size: real(torch.arange(_longest(lengths, size)), lengths.unsqueeze(1))


def _wide(width: Any) -> Any:
    """The mask is as wide as ``width`` says."""
    return lambda lengths, size: lengths_to_mask(lengths, int(width(lengths, size)))


def _wide_if_none(width: Any) -> Any:
    return _wide(lambda lengths, size: width(lengths) if size is None else size)


REAL: dict[str, Any] = {
    "The mask is the wrong way round: in this book True marks a real token, not padding.": torch.ge,
    "One position too many is real. Positions count from 0, so the last one of a row of length n "
    "is n − 1.": torch.le,
    "One position too few is real. Positions count from 0: a row of length n has the positions 0 "
    "to n − 1.": lambda position, length: position < length - 1,
    "Only the first position behind the real ones is marked.": torch.eq,
    "The padding stands in front here. In this book it comes last.": (
        lambda position, length: (position < length).flip(1)
    ),
    "The mask is the wrong way round, and its padding stands in front.": (
        lambda position, length: (position >= length).flip(1)
    ),
    "Rows and columns are swapped: a row for each sentence, a column for each position.": (
        lambda position, length: (position < length).T
    ),
    "Positions (S,) and lengths (B,) are compared one by one. lengths.unsqueeze(1) is (B, 1): a "
    "row for each.": lambda position, length: position < length.flatten(),
}
IF_NONE: dict[str, Any] = {
    "Without a size the mask is as wide as there are rows. It should be as wide as the longest row "
    "is long.": len,
    "Without a size the first row's length is taken. It should be the largest.": lambda n: n[0],
    "Without a size the last row's length is taken. It should be the largest.": lambda n: n[-1],
    "Without a size the smallest length is taken, and longer rows are cut. It should be the "
    "largest.": torch.min,
    "Without a size all lengths are added up. The mask is as wide as the longest row.": torch.sum,
    "Without a size there is one column more than the longest row has tokens.": (
        lambda n: n.max() + 1
    ),
}
LAST_ONLY = "Only the last real token is marked. All positions before it are real as well."
NUMBERS = "The mask holds the numbers 1 and 0. A mask is boolean: it holds True and False."

CHECK = Exercise(
    "lengths_to_mask",
    reference=lengths_to_mask,
    inputs=_lengths,
    rules={
        "every row has as many True as its length": _as_many_as_lengths,
        "the real positions come first": _real_come_first,
    },
    mistakes=[
        *((told, _real(real)) for told, real in REAL.items()),
        *((told, _wide_if_none(width)) for told, width in IF_NONE.items()),
        (LAST_ONLY, _real(lambda position, length: position == length - 1)),
        (LAST_ONLY, _real(lambda position, length: position == (length - 1) % len(position))),
        (NUMBERS, lambda lengths, size: lengths_to_mask(lengths, size).long()),
        (NUMBERS, lambda lengths, size: lengths_to_mask(lengths, size).float()),
        (
            "size is not used: a batch may be padded further than its longest row.",
            lambda lengths, size: lengths_to_mask(lengths),
        ),
        (
            "There is one column too many: the positions are 0 to S − 1.",
            _wide(lambda lengths, size: _longest(lengths, size) + 1),
        ),
        (
            "There is one column too few: the positions are 0 to S − 1.",
            _wide(lambda lengths, size: _longest(lengths, size) - 1),
        ),
    ],
)
