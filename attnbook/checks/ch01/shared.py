"""What checks of chapter 1 share."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

from attnbook.checks.ch01.rnn_step import rnn_step
from attnbook.checks.shared import normal


def cell(seed: int, size: int, hidden: int) -> Callable[[Tensor, Tensor | None], Tensor]:
    make = normal(seed)
    weights = 0.7 * make(hidden, size), 0.7 * make(hidden, hidden), make(hidden), make(hidden)

    def cell(x: Tensor, state: Tensor | None) -> Tensor:
        return rnn_step(x, x.new_zeros(len(x), hidden) if state is None else state, *weights)

    return cell
