"""Exercise 0.1: ``shares``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from attnbook.exercises import Call, Exercise, Mistake


def _amounts() -> Iterator[dict[str, Any]]:
    yield {"amounts": torch.tensor([1.0, 3.0])}
    yield {"amounts": torch.tensor([2.0, 2.0, 4.0])}
    yield {"amounts": torch.tensor([0.0, 5.0])}
    yield {"amounts": torch.rand(7, generator=torch.Generator().manual_seed(0))}


def _shares(amounts: Tensor) -> Tensor:
    return amounts / amounts.sum()


def _sums_to_one(call: Call) -> str | None:
    total = float(call.result.sum())
    if abs(total - 1) < 1e-5:
        return None
    return f"The shares of {call.amounts.tolist()} sum to {total:.2f}."


CHECK = Exercise(
    "shares",
    reference=_shares,
    inputs=_amounts,
    rules={
        "the shares sum to 1": _sums_to_one,
        "twice as much of everything leaves the shares as they are": lambda call: torch.allclose(
            call(amounts=2 * call.amounts), call.result
        ),
    },
    mistakes=[
        Mistake(
            "The largest share is 1, as if it were the whole. What is the whole here?",
            lambda amounts: amounts / amounts.max(),
        ),
        Mistake(
            "This is the mean share for all: every amount is divided by how many there are.",
            lambda amounts: amounts / len(amounts),
        ),
        Mistake(
            "This is the softmax of the amounts: it sums to 1, but an amount of 0 gets a share. "
            "Here the shares are in proportion to the amounts.",
            lambda amounts: amounts.softmax(0),
        ),
    ],
)
