"""Exercise 6.7: ``through_softmax``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _weights_and_gradient() -> Inputs:
    yield {"weights": torch.tensor([0.5, 0.5]), "gradient": torch.tensor([1.0, 3.0])}
    yield {"weights": torch.tensor([0.25, 0.75]), "gradient": torch.tensor([4.0, 0.0])}
    make = normal(8)
    yield {"weights": make(3, 4).softmax(-1), "gradient": make(3, 4)}
    yield {"weights": (5 * make(2, 3, 5)).softmax(-1), "gradient": make(2, 3, 5)}


def _through(weights: Tensor, gradient: Tensor) -> Tensor:
    return weights * (gradient - (weights * gradient).sum(-1, keepdim=True))


def _sums_to_zero(call: Call) -> str | None:
    total = float(call.result.sum(-1).abs().max())
    if total < 1e-4:
        return None
    return (
        f"The result sums to {total:.2f} along a row. Adding the same number to all scores does "
        "not change the weights, so that the gradient must sum to 0. Does each weight feel what "
        "the other scores do?"
    )


def _saturated(call: Call) -> str | None:
    one_hot = torch.zeros_like(call.weights)
    one_hot[..., 0] = 1.0
    left = float(call(weights=one_hot).abs().max())
    if left < 1e-6:
        return None
    return f"With all weight on one position a gradient of {left:.2f} comes through, not 0."


CHECK = Exercise(
    "through_softmax",
    reference=_through,
    inputs=_weights_and_gradient,
    rules={
        "a row of the result sums to 0": _sums_to_zero,
        "with all weight on one position nothing comes through": _saturated,
    },
    mistakes=[
        Mistake(
            "This is α (1 − α) g: the effect of a score on its own weight only. A score that "
            "grows also takes from all the others.",
            lambda weights, gradient: weights * (1 - weights) * gradient,
        ),
        Mistake(
            "This is α g, the first half. What the other weights lose is missing: subtract from "
            "each g the mean of all g, weighted by α.",
            lambda weights, gradient: weights * gradient,
        ),
        Mistake(
            "The plain mean of g is subtracted. Weigh it by α.",
            lambda weights, gradient: weights * (gradient - gradient.mean(-1, keepdim=True)),
        ),
        Mistake(
            "The sign is turned round: a score grows its own weight.",
            lambda weights, gradient: -_through(weights, gradient),
        ),
        Mistake(
            "The last factor α is missing: a position without weight would get a gradient.",
            lambda weights, gradient: gradient - (weights * gradient).sum(-1, keepdim=True),
        ),
        Mistake(
            "A softmax was taken once more: the weights that you are given are weights already.",
            lambda weights, gradient: _through(weights.softmax(-1), gradient),
        ),
        Mistake(
            "The sum runs over everything. Each row is a softmax of its own: sum over the last "
            "dimension.",
            lambda weights, gradient: weights * (gradient - (weights * gradient).sum()),
        ),
    ],
)
