"""Exercise 0.1: ``shares``."""

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, normal
from attnbook.exercises import Call, Exercise


def shares(amounts: Tensor) -> Tensor:
    """The share of each amount in the sum of all. amounts (n,) → (n,)."""
    return amounts / amounts.sum()


def _amounts() -> Inputs:
    for amounts in ([1.0, 3.0], [2.0, 2.0, 4.0], [0.0, 5.0]):
        yield {"amounts": torch.tensor(amounts)}
    yield {"amounts": normal(0)(7).abs()}


def _sums_to_one(call: Call) -> bool | str:
    total = float(call.result.sum())
    return abs(total - 1) < 1e-5 or f"The shares of {call.amounts.tolist()} sum to {total:.2f}."


def _in_proportion(call: Call) -> str | None:
    largest = int(call.amounts.argmax())
    whole, of_whole = call.amounts[largest], call.result[largest]
    for amount, share in zip(call.amounts, call.result):
        if not torch.allclose(share * whole, of_whole * amount, atol=1e-5):
            return (
                f"The amounts {float(amount):.3g} and {float(whole):.3g} have shares of "
                f"{float(share):.3g} and {float(of_whole):.3g}: not in the same proportion."
            )
    return None


CHECK = Exercise(
    shares,
    inputs=_amounts,
    rules={
        "the shares sum to 1": _sums_to_one,
        "shares are in proportion to the amounts": _in_proportion,
        "doubling every amount leaves the shares as they are": lambda call: torch.allclose(
            call(amounts=2 * call.amounts), call.result
        ),
    },
    gradients=(),  # chapter 0 comes before gradients, and an answer in numpy is as right
    mistakes={
        "The largest share is 1, as if it were the whole. What is the whole here?": (
            lambda amounts: amounts / amounts.max()
        ),
        "You divide every amount by how many amounts there are. A share is a part of the sum.": (
            lambda amounts: amounts / len(amounts)
        ),
        "This is the softmax of the amounts: it sums to 1, but an amount of 0 gets a share. "
        "Here the shares are in proportion to the amounts.": lambda amounts: amounts.softmax(0),
        "This divides by the length of the vector, the root of the sum of squares. The whole "
        "is the sum.": lambda amounts: amounts / amounts.norm(),
    },
)
