"""Exercise 4.5: ``nadaraya_watson``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.ch04.shared import listed
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _points() -> Inputs:
    yield {
        "query": torch.tensor([[1.0]]),
        "keys": torch.tensor([[0.0], [3.0]]),
        "values": torch.tensor([0.0, 8.0]),
        "bandwidth": 1.5,
    }
    make = normal(2)
    yield {"query": make(3, 1), "keys": make(5, 1), "values": make(5), "bandwidth": 0.5}
    yield {"query": make(4, 3), "keys": make(4, 3), "values": make(4), "bandwidth": 2.0}
    far = torch.tensor([[40.0, 0.0], [0.0, 0.0]])
    yield {"query": far, "keys": make(6, 2), "values": make(6), "bandwidth": 0.5}


def _equal_values(call: Call) -> str | None:
    for answer in call(values=torch.full_like(call.values, 5.0)).tolist():
        if abs(answer - 5.0) > 1e-4:
            return (
                f"When every value is 5, a prediction is {answer:.2f}. To what do the weights of "
                "one query sum?"
            )
    return None


def _cold_is_nearest(call: Call) -> str | None:
    cold = call(bandwidth=1e-3 * call.bandwidth, query=call.keys)
    if torch.allclose(cold, call.values, atol=1e-3):
        return None
    return (
        "With a tiny bandwidth, a query that stands on a key should get that key's value, "
        f"{listed(call.values[:1])}; it gets {listed(cold[:1])}. Do near keys weigh more than far?"
    )


def _nadaraya_watson(query: Tensor, keys: Tensor, values: Tensor, bandwidth: float) -> Tensor:
    squares = (query.unsqueeze(1) - keys).square().sum(-1)
    return (-squares / (2 * bandwidth**2)).softmax(-1) @ values


def _underflow(query: Tensor, keys: Tensor, values: Tensor, bandwidth: float) -> Tensor:
    squares = (query.unsqueeze(1) - keys).square().sum(-1)
    kernel = (-squares / (2 * bandwidth**2)).exp()
    return kernel @ values / kernel.sum(-1)


def _with(distance: Callable[[Tensor, float], Tensor]) -> Callable[..., Tensor]:
    """Kernel regression whose scores are made otherwise, from differences (T, S, D)."""

    def wrong(query: Tensor, keys: Tensor, values: Tensor, bandwidth: float) -> Tensor:
        return distance(query.unsqueeze(1) - keys, bandwidth).softmax(-1) @ values

    return wrong


CHECK = Exercise(
    "nadaraya_watson",
    reference=_nadaraya_watson,
    inputs=_points,
    rules={
        "the weights of a query sum to 1": _equal_values,
        "a tiny bandwidth takes the nearest key": _cold_is_nearest,
    },
    mistakes=[
        Mistake(
            "Far from all keys every kernel is 0 in the computer's numbers, and 0/0 is not a "
            "number. The softmax of the logarithms is the same ratio, computed safely.",
            _underflow,
        ),
        Mistake(
            "The 2 is missing: K(u) = exp(−u²/2), so the score is −distance²/(2h²).",
            _with(lambda d, h: -d.square().sum(-1) / h**2),
        ),
        Mistake(
            "The bandwidth is not squared: u = distance/h, and u is squared as a whole.",
            _with(lambda d, h: -d.square().sum(-1) / (2 * h)),
        ),
        Mistake(
            "The distance is not squared: K(u) = exp(−u²/2).",
            _with(lambda d, h: -d.square().sum(-1).sqrt() / (2 * h**2)),
        ),
        Mistake(
            "Far keys weigh more than near ones here: which sign has the score?",
            _with(lambda d, h: d.square().sum(-1) / (2 * h**2)),
        ),
        Mistake(
            "This is the value of the nearest key alone. Kernel regression averages.",
            lambda query, keys, values, bandwidth: values[
                (query.unsqueeze(1) - keys).square().sum(-1).argmin(-1)
            ],
        ),
        Mistake(
            "The softmax runs over the queries. It must run over the keys, the last dimension of "
            "(T, S).",
            lambda query, keys, values, bandwidth: (
                (-(query.unsqueeze(1) - keys).square().sum(-1) / (2 * bandwidth**2)).softmax(0)
                @ values
            ),
        ),
    ],
)
