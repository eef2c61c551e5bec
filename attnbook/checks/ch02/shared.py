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


SIGMOID, TANH = torch.sigmoid, torch.tanh
Bend = Callable[[Tensor], Tensor]


def lstm(
    x: Tensor,
    state: Pair,
    weight_ih: Tensor,
    weight_hh: Tensor,
    bias_ih: Tensor,
    bias_hh: Tensor,
    order: str = "ifgo",
    candidate: Bend = TANH,
    out: Bend = TANH,
    gate: Bend = SIGMOID,
    write: Callable[..., Tensor] = lambda i, f, g, cell: f * cell + i * g,
    read: Callable[..., Tensor] = lambda o, new, old: o * new,
    sums: Callable[..., Tensor] = lambda u, v, b, c: u + b + v + c,
    recurrent: int = 0,
    strided: bool = False,
) -> Pair:
    """An LSTM step, and the wrong turns that can be taken in it."""
    cell = state[1]
    every = sums(x @ weight_ih.T, state[recurrent] @ weight_hh.T, bias_ih, bias_hh)
    parts = [every[:, k::4] for k in range(4)] if strided else every.chunk(4, dim=-1)
    named = dict(zip(order, parts))
    i, f, o = (gate(named[name]) for name in "ifo")
    new = write(i, f, candidate(named["g"]), cell)
    return read(o, out(new), out(cell)), new


def listed(numbers: Tensor) -> str:
    rounded = [round(float(number), 3) for number in numbers.flatten()[:4]]
    return str(rounded) + " …" * (numbers.numel() > 4)
