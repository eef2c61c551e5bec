"""Exercise 2.4: ``cell_path``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.ch02.shared import listed
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _forget_inputs() -> Inputs:
    yield {"forget": torch.tensor([[0.5], [0.4], [0.1]])}
    make = normal(2)
    yield {"forget": torch.sigmoid(make(3, 3))}
    closed = torch.sigmoid(make(6, 2))
    closed[3, 0] = 0.0
    yield {"forget": closed}
    yield {"forget": torch.sigmoid(make(8, 4))}


def _path(forget: Tensor) -> Tensor:
    later = forget.flip(0).cumprod(0).flip(0)[1:]
    return torch.cat([later, torch.ones_like(forget[:1])])


def _last_is_one(call: Call) -> str | None:
    if torch.equal(call.result[-1], torch.ones_like(call.result[-1])):
        return None
    return (
        f"The last row is {listed(call.result[-1])}. It is ∂c_T/∂c_T: what is the derivative of "
        "something with respect to itself?"
    )


def _first_gate_free(call: Call) -> str | None:
    changed = call.forget.clone()
    changed[0] = 0.77
    if torch.allclose(call(forget=changed), call.result):
        return None
    return (
        "The result depends on the first gate, f_1. It stands between c_0 and c_1; the way from "
        "c_1 to c_T does not pass it."
    )


CHECK = Exercise(
    "cell_path",
    reference=_path,
    inputs=_forget_inputs,
    rules={
        "the last row is 1": _last_is_one,
        "a gate that lies before c_t does not matter": _first_gate_free,
    },
    mistakes=[
        Mistake(
            "Each row has one gate too many: from c_t on, the first gate on the way is f_{t+1}.",
            lambda forget: forget.flip(0).cumprod(0).flip(0),
        ),
        Mistake(
            "The product runs from the beginning up to t. The gradient needs the gates after t.",
            lambda forget: forget.cumprod(0),
        ),
        Mistake(
            "The gates are added up. A number that passes one gate after the other is multiplied.",
            lambda forget: forget.flip(0).cumsum(0).flip(0),
        ),
        Mistake(
            "Every row is the product of all gates: the way from a late c_t is shorter.",
            lambda forget: forget.prod(0).expand_as(forget).clone(),
        ),
        Mistake(
            "All gates divided by the first ones: where a gate is 0 this is 0/0. Multiply the "
            "later gates instead.",
            lambda forget: forget.prod(0) / forget.cumprod(0),
        ),
        Mistake(
            "This is only the next gate, f_{t+1}: one step, not the whole way to T.",
            lambda forget: torch.cat([forget[1:], torch.ones_like(forget[:1])]),
        ),
    ],
)
