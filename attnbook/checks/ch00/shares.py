"""Exercise 0.1: ``shares``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from attnbook.exercises import Call, Exercise


def shares(amounts: Tensor) -> Tensor:
    """The share of each amount in the sum of all. amounts (n,) → (n,)."""
    return amounts / amounts.sum()


def _amounts() -> Iterator[dict[str, Any]]:
    yield {"amounts": torch.tensor([1.0, 3.0])}
    yield {"amounts": torch.tensor([2.0, 2.0, 4.0])}
    yield {"amounts": torch.tensor([0.0, 5.0])}
    yield {"amounts": torch.rand(7, generator=torch.Generator().manual_seed(0))}


def _sum_taken_anew(amounts: Tensor) -> Tensor:
    shares = amounts.clone()
    for place in range(len(shares)):
        shares[place] = shares[place] / shares.sum()
    return shares


def _sums_to_one(call: Call) -> str | None:
    total = float(call.result.sum())
    if abs(total - 1) < 1e-5:
        return None
    return f"The shares of {call.amounts.tolist()} sum to {total:.2f}."


def _in_proportion(call: Call) -> str | None:
    first, last = call.amounts[0], call.amounts[-1]
    if torch.allclose(call.result[0] * last, call.result[-1] * first, atol=1e-5):
        return None
    return (
        f"The first and the last amount, {float(first):.3g} and {float(last):.3g}, have shares of "
        f"{float(call.result[0]):.3g} and {float(call.result[-1]):.3g}: not in the same proportion."
    )


CHECK = Exercise(
    "shares",
    reference=shares,
    inputs=_amounts,
    rules={
        "the shares sum to 1": _sums_to_one,
        "shares are in proportion to the amounts": _in_proportion,
        "twice as much of everything leaves the shares as they are": lambda call: torch.allclose(
            call(amounts=2 * call.amounts), call.result
        ),
    },
    gradients=(),  # chapter 0 comes before gradients, and an answer in numpy is as right
    mistakes=[
        (
            "The largest share is 1, as if it were the whole. What is the whole here?",
            lambda amounts: amounts / amounts.max(),
        ),
        (
            "This is the mean share for all: every amount is divided by how many there are.",
            lambda amounts: amounts / len(amounts),
        ),
        (
            "This is the softmax of the amounts: it sums to 1, but an amount of 0 gets a share. "
            "Here the shares are in proportion to the amounts.",
            lambda amounts: amounts.softmax(0),
        ),
        (
            "This divides by the length of the vector, the root of the sum of squares. The whole "
            "is the sum.",
            lambda amounts: amounts / amounts.norm(),
        ),
        (
            "These are hundredths, which sum to 100. A share of all is 1.",
            lambda amounts: 100 * amounts / amounts.sum(),
        ),
        (
            "Only the first two amounts are added up. The whole is the sum of all.",
            lambda amounts: amounts / (amounts[0] + amounts[1:2].sum()),
        ),
        ("The first amount is taken for the whole.", lambda amounts: amounts / amounts[0]),
        (
            "Each amount is divided by the sum of the *others*. The whole holds the amount, too.",
            lambda amounts: amounts / (amounts.sum() - amounts),
        ),
        (
            "These are running sums of the shares. Each share stands alone.",
            lambda amounts: amounts.cumsum(0) / amounts.sum(),
        ),
        (
            "Each amount is divided by the sum up to it. The whole is the sum of all.",
            lambda amounts: amounts / amounts.cumsum(0),
        ),
        (
            "The sum is taken anew after amounts before it have become shares. Take it once, "
            "before you change anything.",
            _sum_taken_anew,
        ),
        (
            "The amounts are divided by their sum twice.",
            lambda amounts: amounts / amounts.sum() ** 2,
        ),
        (
            "This is upside down: the share is the amount divided by the sum.",
            lambda amounts: amounts.sum() / amounts,
        ),
        (
            "This is the distance from the mean. A share is the amount divided by the sum.",
            lambda amounts: amounts - amounts.mean(),
        ),
        (
            "The smallest amount becomes 0 and the largest 1. A share is the amount divided by "
            "the sum.",
            lambda amounts: (amounts - amounts.min()) / (amounts.max() - amounts.min()),
        ),
        ("This is the sum itself. Each amount is divided by it.", lambda amounts: amounts.sum()),
        ("The shares are rounded.", lambda amounts: (amounts / amounts.sum()).round(decimals=2)),
    ],
)
