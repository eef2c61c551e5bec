"""Exercise 7.2: ``first_mistake_rates``."""

import torch
from torch import Tensor
from torch.nn import functional as F

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise


def first_mistake_rates(right: Tensor) -> Tensor:
    """Of the rows right before a position, the share that goes wrong there. (B, T) → (T,)."""
    still = right.cumprod(1)  # 1 up to the first mistake, then 0
    before = torch.cat([torch.ones_like(still[:, :1]), still[:, :-1]], dim=1).sum(0)
    return (before - still.sum(0)) / before.clamp(min=1)


def _rows() -> Inputs:
    for rows in (["10"], ["110", "100"], ["1011", "1101", "0111", "1111"], ["00", "01"]):
        yield {"right": torch.tensor([[mark == "1" for mark in row] for row in rows])}
    draw = torch.Generator().manual_seed(7)
    yield {"right": torch.rand(40, 6, generator=draw) < 0.7}


def _later_mistakes(call: Call) -> bool | str:
    later = call.right.cumprod(1) == 0  # from the first mistake on
    later[:, 1:] &= later[:, :-1].clone()
    later[:, 0] = False
    return torch.allclose(call(right=call.right ^ later), call.result) or (
        "Your result changes when only the part after each row's first mistake changes. A row "
        "that has gone wrong once is not counted again, whatever it does later."
    )


def _survival(call: Call) -> bool | str:
    got = (1 - call.result).cumprod(0)
    wanted = call.right.cumprod(1).double().mean(0)
    left = torch.allclose(got.double(), wanted, atol=1e-4)
    return left or (
        "(1 - rate) multiplied up to the last position should give the share of whole rows, "
        f"{wanted[-1]:.2f}; yours gives {got[-1]:.2f}."
    )


def _before(right: Tensor) -> Tensor:
    """How many rows are right at all earlier positions (T,)."""
    return F.pad(right.cumprod(1)[:, :-1], (1, 0), value=1).sum(0)


def _first(right: Tensor) -> Tensor:
    """How many rows have their first mistake at each position (T,)."""
    return _before(right) - right.cumprod(1).sum(0)


def _after_one(right: Tensor) -> Tensor:
    previous = F.pad(right[:, :-1], (1, 0), value=True)
    return (previous & ~right).sum(0) / previous.sum(0).clamp(min=1)


CHECK = Exercise(
    first_mistake_rates,
    inputs=_rows,
    rules={
        "what comes after a row's first mistake does not matter": _later_mistakes,
        "the rates multiply to the share of whole rows": _survival,
    },
    mistakes={
        "This is the error rate of all rows, including those that went wrong before. Count only "
        "the rows that are right at every earlier position.": lambda right: (
            (~right).float().mean(0)
        ),
        "These are first mistakes as a share of all rows. Divide by the rows that are still right "
        "before the position.": lambda right: _first(right) / len(right),
        "This is the share of rows that are right up to here. Of the rows right before, return "
        "the share that goes wrong here.": lambda right: right.cumprod(1).float().mean(0),
        "This is the share of all rows that have gone wrong by now. Of the rows right before, "
        "return the share that goes wrong here.": (
            lambda right: 1 - right.cumprod(1).float().mean(0)
        ),
        "This is the share that stays right. Subtract it from 1.": (
            lambda right: 1 - first_mistake_rates(right)
        ),
        "You look only at the position just before. A row counts if it is right at all earlier "
        "positions.": _after_one,
        "These are numbers of rows. Divide them by the rows that are right before.": (
            lambda right: _first(right).float()
        ),
        "These are shares of all first mistakes, which sum to 1. Divide by the rows that are right "
        "before the position.": lambda right: _first(right) / _first(right).sum().clamp(min=1),
        "You divide the rows that go wrong here by the rows that stay right here. Divide by all "
        "that were right before.": (
            lambda right: _first(right) / right.cumprod(1).sum(0).clamp(min=1)
        ),
        "Every rate is 0: did you drop the rows that go wrong here before you counted them?": (
            lambda right: torch.zeros(right.shape[1])
        ),
    },
)
