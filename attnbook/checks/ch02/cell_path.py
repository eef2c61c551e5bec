"""Exercise 2.2: ``cell_path``."""

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.recurrent import rounded
from attnbook.exercises import Call, Exercise


def cell_path(forget: Tensor) -> Tensor:
    """∂c_T/∂c_t along the cell alone, (T, H): in row t the product of later rows."""
    later = forget.flip(0).cumprod(0).flip(0)[1:]
    return torch.cat([later, torch.ones_like(forget[:1])])


def _forget_inputs() -> Inputs:
    yield {"forget": torch.tensor([[0.5], [0.4], [0.1]])}
    make = normal(2)
    closed = torch.sigmoid(make(6, 2))
    closed[3, 0] = 0.0
    for forget in (torch.sigmoid(make(3, 3)), closed, torch.sigmoid(make(8, 4))):
        yield {"forget": forget}


def _last_is_one(call: Call) -> bool | str:
    return bool((call.result[-1] == 1).all()) or (
        f"The last row is {rounded(call.result[-1])}. No gate comes after the last step, so it is "
        "1: ∂c_T/∂c_T."
    )


def _row_by_row(call: Call) -> str | None:
    last = len(call.forget)
    for row in reversed(range(last - 1)):
        expected = call.forget[row + 1 :].prod(0)
        if not torch.allclose(call.result[row], expected, atol=1e-5):
            gates = f"f_{row + 2} … f_{last}" if row + 2 < last else f"f_{last}"
            return (
                f"Row {row + 1} (counted from 1) is the product of the gates after it, {gates}: "
                f"{rounded(expected)}; yours is {rounded(call.result[row])}."
            )
    return None


CHECK = Exercise(
    cell_path,
    inputs=_forget_inputs,
    rules={
        "the last row is 1": _last_is_one,
        "row t is the product of the gates after t": _row_by_row,
    },
    gradients=(),  # it measures; nothing goes back through that
    mistakes={
        "The product runs over the gates *before* t. The gradient needs those after t.": (
            lambda forget: cell_path(forget.flip(0)).flip(0)
        ),
        "You divide the product of all gates by that of the first ones (or use logarithms). Where "
        "a gate is 0, this is 0/0. Multiply the later gates instead.": (
            lambda forget: forget.prod(0) / forget.cumprod(0)
        ),
        "The rows are in the order of a loop from the end. Row 1 comes first, so reverse "
        "them.": lambda forget: cell_path(forget).flip(0),
    },
)
