"""Exercise 3.1: ``lengths_to_mask``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake


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


Size = Callable[[Tensor, "int | None"], int]


def _longest(lengths: Tensor, size: int | None) -> int:
    return int(lengths.max()) if size is None else size


def _mask(
    real: Callable[[Tensor, Tensor], Tensor], size: Size = _longest
) -> Callable[[Tensor, int | None], Tensor]:
    """A mask of positions (S,) and lengths (B, 1), as wide as ``size`` says."""
    return lambda lengths, size_: real(torch.arange(size(lengths, size_)), lengths.unsqueeze(1))


def _mistake(
    diagnosis: str, real: Callable[[Tensor, Tensor], Tensor], size: Size = _longest
) -> Mistake:
    function = _mask(real, size)
    return (diagnosis, lambda lengths, size: function(lengths, size))


def _wide(diagnosis: str, size: Size) -> Mistake:
    return _mistake(diagnosis, torch.lt, size)


def _when_none(choose: Callable[[Tensor], Tensor | int]) -> Size:
    return lambda lengths, size: int(choose(lengths)) if size is None else size


_NUMBERS = "The mask holds the numbers 1 and 0. A mask is boolean: it holds True and False."
_LATE = "The padding stands in front here. In this book it comes last."

CHECK = Exercise(
    "lengths_to_mask",
    reference=lengths_to_mask,
    inputs=_lengths,
    rules={
        "every row has as many True as its length": _as_many_as_lengths,
        "the real positions come first": _real_come_first,
    },
    mistakes=[
        _mistake(
            "The mask is the wrong way round: in this book True marks a real token, not padding.",
            torch.ge,
        ),
        _mistake(
            "One position too many is real. Positions count from 0, so the last one of a row of "
            "length n is n − 1.",
            torch.le,
        ),
        _mistake(
            "One position too few is real. Positions count from 0: a row of length n has the "
            "positions 0 to n − 1.",
            lambda position, length: position < length - 1,
        ),
        _mistake(
            "Only the last real token is marked. All positions before it are real as well.",
            lambda position, length: position == length - 1,
        ),
        _mistake(
            "Only the last real token is marked. All positions before it are real as well.",
            lambda position, length: position == (length - 1) % len(position),
        ),
        _mistake(
            "Only the first position behind the real ones is marked.",
            lambda position, length: position == length,
        ),
        _mistake(_LATE, lambda position, length: (position < length).flip(1)),
        _mistake(
            "The mask is the wrong way round, and its padding stands in front.",
            lambda position, length: (position >= length).flip(1),
        ),
        _mistake(_NUMBERS, lambda position, length: (position < length).long()),
        _mistake(_NUMBERS, lambda position, length: (position < length).float()),
        _mistake(
            "Rows and columns are swapped: a row for each sentence, a column for each position.",
            lambda position, length: (position < length).T,
        ),
        _mistake(
            "Positions (S,) and lengths (B,) are compared one by one. lengths.unsqueeze(1) is "
            "(B, 1): a row for each.",
            lambda position, length: position < length.flatten(),
        ),
        _wide(
            "size is not used: a batch may be padded further than its longest row.",
            lambda lengths, size: int(lengths.max()),
        ),
        _wide(
            "Without a size the mask is as wide as there are rows. It should be as wide as the "
            "longest row is long.",
            _when_none(len),
        ),
        _wide(
            "Without a size the first row's length is taken. It should be the largest.",
            _when_none(lambda lengths: lengths[0]),
        ),
        _wide(
            "Without a size the last row's length is taken. It should be the largest.",
            _when_none(lambda lengths: lengths[-1]),
        ),
        _wide(
            "Without a size the smallest length is taken, and longer rows are cut. It should be "
            "the largest.",
            _when_none(torch.min),
        ),
        _wide(
            "Without a size all lengths are added up. The mask is as wide as the longest row.",
            _when_none(torch.sum),
        ),
        _wide(
            "Without a size there is one column more than the longest row has tokens.",
            _when_none(lambda lengths: lengths.max() + 1),
        ),
        _wide(
            "There is one column too many: the positions are 0 to S − 1.",
            lambda lengths, size: _longest(lengths, size) + 1,
        ),
        _wide(
            "There is one column too few: the positions are 0 to S − 1.",
            lambda lengths, size: _longest(lengths, size) - 1,
        ),
    ],
)
