"""What checks of chapter 1 share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import normal


def step(
    x: Tensor, state: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias_ih: Tensor, bias_hh: Tensor
) -> Tensor:
    return torch.tanh(x @ weight_ih.T + bias_ih + state @ weight_hh.T + bias_hh)


def cell(seed: int, size: int, hidden: int) -> Callable[[Tensor, Tensor | None], Tensor]:
    make = normal(seed)
    weights = 0.7 * make(hidden, size), 0.7 * make(hidden, hidden), make(hidden), make(hidden)

    def cell(x: Tensor, state: Tensor | None) -> Tensor:
        return step(x, x.new_zeros(len(x), hidden) if state is None else state, *weights)

    return cell


def loop(
    cell: Any,
    inputs: Tensor,
    state: Tensor | None,
    mask: Tensor | None,
    hand_on: bool = True,
    padded: str = "keep",
) -> tuple[Tensor, Tensor]:
    """The right loop, and with other settings the ways in which it goes wrong."""
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state if hand_on else None)
        if mask is not None:
            old = torch.zeros_like(new) if state is None else state
            real = mask[:, t].unsqueeze(1)
            choices = {
                "keep": (real, new, old),
                "swapped": (~real, new, old),
                "zero": (real, new, torch.zeros_like(new)),
                "read": (torch.ones_like(real), new, old),
            }
            new = torch.where(*choices[padded])
        state = new
        states.append(new)
    assert state is not None
    return torch.stack(states, dim=1), state
