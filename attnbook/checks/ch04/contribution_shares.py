"""Exercise 4.6: ``contribution_shares``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _weights_and_values() -> Inputs:
    yield {
        "weights": torch.tensor([[[0.75, 0.25]]]),
        "values": torch.tensor([[[0.0, 1.0], [4.0, 3.0]]]),
    }
    make = normal(3)
    yield {"weights": make(2, 3, 3).softmax(-1), "values": make(2, 3, 3)}
    yield {"weights": make(2, 4, 3).softmax(-1), "values": make(2, 3, 5)}


def _rows_sum_to_one(call: Call) -> str | None:
    total = float(call.result[0, 0].sum())
    if abs(total - 1) < 1e-4:
        return None
    return f"The shares of one query sum to {total:.2f}, not to 1. What are they shares of?"


def _tiny_value(call: Call) -> str | None:
    values = call.values.clone()
    values[:, 0] *= 1e-3
    share, weight = float(call(values=values)[0, 0, 0]), float(call.weights[0, 0, 0])
    if share < 0.02:
        return None
    return (
        "The first value was made a thousand times shorter, so it brings next to nothing, "
        f"whatever its weight ({weight:.2f}). Your share for it is {share:.2f}."
    )


def _contribution_shares(weights: Tensor, values: Tensor) -> Tensor:
    lengths = weights * values.norm(dim=-1).unsqueeze(1)
    return lengths / lengths.sum(-1, keepdim=True)


def _shares(measure: Callable[[Tensor], Tensor], dim: int = -1) -> Callable[..., Tensor]:
    """Shares of another measure of the parts α_tj v_j, (B, T, S, H) → (B, T, S)."""

    def wrong(weights: Tensor, values: Tensor) -> Tensor:
        parts = measure(weights.unsqueeze(-1) * values.unsqueeze(1))
        return parts / parts.sum(dim, keepdim=True)

    return wrong


CHECK = Exercise(
    "contribution_shares",
    reference=_contribution_shares,
    inputs=_weights_and_values,
    rules={
        "the shares of a query sum to 1": _rows_sum_to_one,
        "a short value contributes little": _tiny_value,
    },
    mistakes=[
        Mistake(
            "These are the weights themselves: how long is what each of them multiplies?",
            lambda weights, values: weights.clone(),
        ),
        Mistake(
            "The lengths are not divided by their sum: shares are asked for.",
            lambda weights, values: weights * values.norm(dim=-1).unsqueeze(1),
        ),
        Mistake(
            "The weights are not used: a long value with a small weight contributes little.",
            lambda weights, values: _contribution_shares(torch.ones_like(weights), values),
        ),
        Mistake(
            "These are shares of *squared* lengths: the root is missing.",
            _shares(lambda parts: parts.square().sum(-1)),
        ),
        Mistake(
            "The entries of α v are added with their signs. A length is the root of the sum of "
            "squares.",
            _shares(lambda parts: parts.sum(-1)),
        ),
        Mistake(
            "The absolute entries are added. The length ‖v‖ is the root of the sum of squares.",
            _shares(lambda parts: parts.abs().sum(-1)),
        ),
        Mistake(
            "The shares sum to 1 over the queries. They should over the keys: what does one "
            "answer consist of?",
            _shares(lambda parts: parts.norm(dim=-1), dim=1),
        ),
        Mistake(
            "The lengths are divided by the length of the context. Contributions may point in "
            "different directions: divide by the sum of their lengths.",
            lambda weights, values: (
                weights
                * values.norm(dim=-1).unsqueeze(1)
                / (weights @ values).norm(dim=-1, keepdim=True)
            ),
        ),
    ],
)
