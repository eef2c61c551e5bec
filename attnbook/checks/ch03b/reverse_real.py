"""Exercise 3.5: ``reverse_real``."""

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, normal
from attnbook.exercises import Call, Exercise, Function
from attnlib import masking


def reverse_real(x: Tensor, mask: Tensor) -> Tensor:
    """x (B, S, F) with each row's real tokens (mask (B, S)) reversed; padding stays at the end."""
    position = torch.arange(x.shape[1], device=x.device).expand(mask.shape)
    mirrored = mask.sum(1, keepdim=True) - 1 - position
    source = torch.where(mask, mirrored, position)
    return x.gather(1, source.unsqueeze(-1).expand_as(x))


def _rows() -> Inputs:
    make = normal(4)
    for x, lengths in (
        (torch.tensor([[[1.0], [2.0], [3.0], [9.0]]]), [3]),
        (make(2, 5, 3), [4, 2]),
        (make(4, 6, 3), [1, 5, 3, 6]),
    ):
        yield {"x": x, "mask": masking.lengths_to_mask(torch.tensor(lengths), x.shape[1])}


def _each_in_its_place(call: Call) -> str | None:
    for b, (before, real, after) in enumerate(zip(call.x, call.mask, call.result)):
        n = int(real.sum())
        for j, got in enumerate(after):
            source = n - 1 - j if j < n else j
            if torch.allclose(got, before[source], atol=1e-6):
                continue
            positions = [i for i, x in enumerate(before) if torch.allclose(got, x, atol=1e-6)]
            what = (
                f"what was at {positions[0]}"
                if positions
                else "a vector that was nowhere in this row"
            )
            right = f"what was at {source}" if j < n else "the padding that was there"
            return (
                f"Row {b} has {n} real tokens. Its position {j} now has {what}, but should have "
                f"{right}."
            )
    return None


def _flipped(dimension: int, where_real: bool) -> Function:
    """Another dimension reversed; padding with it, or not."""
    return lambda x, mask: torch.where(mask.unsqueeze(-1) | (not where_real), x.flip(dimension), x)


CHECK = Exercise(
    reverse_real,
    inputs=_rows,
    rules={
        "real tokens change places, padding does not": _each_in_its_place,
    },
    mistakes={
        "The features of each token are reversed, not the order of the tokens.": [
            _flipped(-1, where_real=False),
            _flipped(-1, where_real=True),
        ],
        "You reverse the sentences of the batch, not the tokens of a sentence. The first dimension "
        "counts the sentences.": [
            _flipped(0, where_real=False),
            _flipped(0, where_real=True),
        ],
    },
)
