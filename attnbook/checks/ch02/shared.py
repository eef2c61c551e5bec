"""What checks of chapter 2 share."""

from __future__ import annotations

from collections.abc import Callable
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


def lstm(
    x: Tensor,
    state: Pair,
    weight_ih: Tensor,
    weight_hh: Tensor,
    bias_ih: Tensor,
    bias_hh: Tensor,
    order: str = "ifgo",
    candidate: Callable[[Tensor], Tensor] = torch.tanh,
    out: Callable[[Tensor], Tensor] = torch.tanh,
    keep: bool = True,
) -> Pair:
    """An LSTM step, and the wrong turns that can be taken in it."""
    hidden, cell = state
    sums = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    gate = dict(zip(order, sums.chunk(4, dim=-1)))
    i, f, o = (torch.sigmoid(gate[name]) for name in "ifo")
    cell = (f if keep else 1.0) * cell + i * candidate(gate["g"])
    return o * out(cell), cell


def listed(numbers: Tensor) -> str:
    rounded = [round(float(number), 3) for number in numbers.flatten()[:4]]
    return str(rounded) + " …" * (numbers.numel() > 4)
