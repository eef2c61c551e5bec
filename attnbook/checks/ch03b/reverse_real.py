"""Exercise 3.6: ``reverse_real``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, normal
from attnbook.exercises import Call, Exercise
from attnlib import masking


def reverse_real(x: Tensor, mask: Tensor) -> Tensor:
    """x (B, S, F) with each row's real tokens (mask (B, S)) reversed; padding stays at the end."""
    position = torch.arange(x.shape[1], device=x.device).expand(mask.shape)
    mirrored = mask.sum(1, keepdim=True) - 1 - position
    source = torch.where(mask, mirrored, position)
    return x.gather(1, source.unsqueeze(-1).expand_as(x))


def _rows() -> Inputs:
    yield {
        "x": torch.tensor([[[1.0], [2.0], [3.0], [9.0]]]),
        "mask": torch.tensor([[True, True, True, False]]),
    }
    make = normal(4)
    yield {"x": make(2, 5, 3), "mask": masking.lengths_to_mask(torch.tensor([4, 2]), 5)}
    yield {"x": make(4, 6, 3), "mask": masking.lengths_to_mask(torch.tensor([1, 5, 3, 6]))}


def _each_in_its_place(call: Call) -> str | None:
    for b, (before, real, after) in enumerate(zip(call.x, call.mask, call.result)):
        n = int(real.sum())
        for j, got in enumerate(after):
            source = n - 1 - j if j < n else j
            if torch.allclose(got, before[source], atol=1e-6):
                continue
            positions = [i for i, x in enumerate(before) if torch.allclose(got, x, atol=1e-6)]
            what = (
                f"what stood at {positions[0]}" if positions else "what stood nowhere in this row"
            )
            right = f"what stood at {source}" if j < n else "the padding that stood there"
            return (
                f"Row {b} has {n} real tokens. Its position {j} holds {what} before, and should "
                f"hold {right}."
            )
    return None


FEATURES = "The features of each token are reversed, not the order of the tokens."
SENTENCES = (
    "The sentences of the batch change places, not the tokens of a sentence: the first dimension "
    "counts the sentences."
)

CHECK = Exercise(
    "reverse_real",
    reference=reverse_real,
    inputs=_rows,
    rules={
        "real tokens change places, padding does not": _each_in_its_place,
    },
    mistakes={
        FEATURES: [
            lambda x, mask: x.flip(-1),
            lambda x, mask: torch.where(mask.unsqueeze(-1), x.flip(-1), x),
        ],
        SENTENCES: [
            lambda x, mask: x.flip(0),
            lambda x, mask: torch.where(mask.unsqueeze(-1), x.flip(0), x),
        ],
    },
)
