"""What checks of chapter 2 share."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal

Pair = tuple[Tensor, Tensor]


def cell_inputs(seed: int, gates: int, small: dict[str, Any], pair: bool) -> Inputs:
    """A cell that can be read, then random ones: x (B, E), a state, and the four weights."""
    yield small
    make = normal(seed)
    for batch, features, units in ((1, 2, 2), (3, 4, 5), (4, 6, 6)):
        rows = gates * units
        hidden, cell = make(batch, units), make(batch, units)
        yield {
            "x": make(batch, features),
            "state": (hidden, cell) if pair else hidden,
            "weight_ih": make(rows, features),
            "weight_hh": make(rows, units),
            "bias_ih": make(rows),
            "bias_hh": make(rows),
        }


def listed(numbers: Tensor) -> str:
    rounded = [round(float(number), 3) for number in numbers.flatten()[:9]]
    return str(rounded) + " …" * (numbers.numel() > 9)


def beside(right: Tensor, mine: Tensor) -> str:
    """Two tensors (B, H) side by side, in the first row in which they differ."""
    row = int((~torch.isclose(right, mine, atol=1e-5)).any(-1).int().argmax())
    where = f" in row {row}" if len(right) > 1 else ""
    return f"{listed(right[row])}{where}; yours is {listed(mine[row])}"
