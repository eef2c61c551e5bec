"""What checks of chapter 6 share."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call


def dot(query: Tensor, keys: Tensor) -> Tensor:
    return query @ keys.transpose(1, 2)


def query_and_keys(seed: int) -> Inputs:
    yield {
        "query": torch.tensor([[[1.0, 2.0, 0.0, 2.0]]]),
        "keys": torch.tensor([[[3.0, 0.0, 5.0, 1.0], [0.0, -1.0, 0.0, 4.0]]]),
    }
    make = normal(seed)
    yield {"query": make(2, 3, 4), "keys": make(2, 3, 4)}
    yield {"query": make(2, 3, 9), "keys": make(2, 5, 9)}


def own_key_only(call: Call) -> str | None:
    touched = call.keys.clone()
    touched[:, 0] += 1.0
    if torch.allclose(call(keys=touched)[..., 1:], call.result[..., 1:]):
        return None
    return "When the first key changes, the scores of the other keys change as well."
