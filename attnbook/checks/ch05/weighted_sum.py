"""Exercise 5.1: ``weighted_sum``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _weights_and_values() -> Inputs:
    yield {
        "weights": torch.tensor([[[0.25, 0.75]]]),
        "values": torch.tensor([[[4.0, 0.0, 1.0], [0.0, 8.0, 1.0]]]),
    }
    make = normal(0)
    yield {"weights": make(2, 3, 3).softmax(-1), "values": make(2, 3, 3)}
    yield {"weights": make(2, 4, 3).softmax(-1), "values": make(2, 3, 5)}


def _fetches_one(call: Call) -> str | None:
    one_hot = torch.zeros_like(call.weights)
    one_hot[..., 0] = 1.0
    fetched = call(weights=one_hot)[:, 0]
    if torch.allclose(fetched, call.values[:, 0]):
        return None
    return (
        f"With all weight on the first value, which is {_list(call.values[0, 0])}, the context is "
        f"{_list(fetched[0])}. What should it be?"
    )


CHECK = Exercise(
    "weighted_sum",
    reference=lambda weights, values: weights @ values,
    inputs=_weights_and_values,
    rules={"weight 1 on one value fetches that value": _fetches_one},
    mistakes=[
        Mistake(
            "This is the plain mean of the values: no weight has been used.",
            lambda weights, values: values.mean(1, keepdim=True).expand(
                -1, weights.shape[1], values.shape[2]
            ),
        ),
        Mistake(
            "This is the plain sum of the values: each must first be multiplied by its weight.",
            lambda weights, values: values.sum(1, keepdim=True).expand(
                -1, weights.shape[1], values.shape[2]
            ),
        ),
        Mistake(
            "The sum is divided by the number of values. The weights sum to 1 already.",
            lambda weights, values: weights @ values / values.shape[1],
        ),
        Mistake(
            "A softmax was taken once more: the weights that you are given are weights already.",
            lambda weights, values: weights.softmax(-1) @ values,
        ),
        Mistake(
            "The weights are transposed: row t of the weights belongs to query t, and the sum "
            "runs along the row.",
            lambda weights, values: weights.transpose(1, 2) @ values,
        ),
        Mistake(
            "Only the value with the largest weight is taken. A context mixes them all.",
            lambda weights, values: torch.stack([v[w.argmax(-1)] for w, v in zip(weights, values)]),
        ),
    ],
)


def _list(tensor: Tensor) -> list[float]:
    return [round(float(number), 3) for number in tensor]
