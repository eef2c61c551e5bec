"""Exercise 4.4: ``lookup_gradient``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.ch04.shared import listed
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _scores_and_values() -> Inputs:
    for kind in ("soft", "hard"):
        yield {
            "scores": torch.tensor([0.0, 0.0]),
            "values": torch.tensor([[0.0], [8.0]]),
            "kind": kind,
        }
        make = normal(1)
        yield {"scores": make(3), "values": make(3, 2), "kind": kind}
        yield {"scores": make(5), "values": make(5, 5), "kind": kind}


def _no_gradient_if_hard(call: Call) -> str | None:
    if call.kind != "hard" or not bool(call.result.any()):
        return None
    return (
        f'kind = "hard": the largest entry is {float(call.result.abs().max()):.2f}. Add a '
        "millionth to any score: does the value of the largest score change?"
    )


def _sums_to_zero(call: Call) -> str | None:
    total = call.result.sum(0)
    if torch.allclose(total, torch.zeros_like(total), atol=1e-5):
        return None
    return (
        f"The rows sum to {listed(total)}. Adding the same number to all scores changes nothing, "
        "so they must sum to 0. When one weight rises, what do the others do?"
    )


def _try_it(call: Call) -> str | None:
    """Finite differences, in words."""
    if call.kind == "hard":
        return None
    scores, values = call.scores.double(), call.values.double()
    for j in range(len(scores)):
        step = torch.zeros_like(scores)
        step[j] = 1e-4
        up, down = ((scores + s).softmax(0) @ values for s in (step, -step))
        slope = (up - down) / 2e-4
        if not torch.allclose(slope, call.result[j].double(), atol=1e-4):
            return (
                f"Score {j} is raised a little, to see: the answer changes by {listed(slope)} "
                f"for each unit. Row {j} says {listed(call.result[j])}."
            )
    return None


def _lookup_gradient(scores: Tensor, values: Tensor, kind: str) -> Tensor:
    if kind == "hard":
        return torch.zeros_like(values)
    weights = scores.softmax(0)
    return weights.unsqueeze(1) * (values - weights @ values)


def _if_soft(soft: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Tensor]:
    """A mistake in the soft gradient alone; it is given weights and values."""

    def wrong(scores: Tensor, values: Tensor, kind: str) -> Tensor:
        return torch.zeros_like(values) if kind == "hard" else soft(scores.softmax(0), values)

    return wrong


def _one_hot_gradient(scores: Tensor, values: Tensor, kind: str) -> Tensor:
    if kind == "soft":
        return _lookup_gradient(scores, values, kind)
    return torch.eye(len(scores))[scores.argmax()].unsqueeze(1) * values


CHECK = Exercise(
    "lookup_gradient",
    reference=_lookup_gradient,
    inputs=_scores_and_values,
    rules={
        "a hard lookup has no gradient": _no_gradient_if_hard,
        "a shift of all scores changes nothing": _sums_to_zero,
        "it is what trying it out gives": _try_it,
    },
    mistakes=[
        Mistake(
            "α_j v_j is the contribution, not the gradient. When one weight rises the others "
            "fall, so the value counts only as far as it differs from the answer.",
            _if_soft(lambda w, v: w.unsqueeze(1) * v),
        ),
        Mistake(
            "α_j (1 − α_j) v_j is only what happens to the weight of j itself. The other weights "
            "change, too, and their values with them.",
            _if_soft(lambda w, v: (w * (1 - w)).unsqueeze(1) * v),
        ),
        Mistake(
            "The sign is turned round: raising a score pulls the answer towards its value.",
            _if_soft(lambda w, v: w.unsqueeze(1) * (w @ v - v)),
        ),
        Mistake(
            "The weight is missing: a key that has no weight has no pull, wherever its value is.",
            _if_soft(lambda w, v: v - w @ v),
        ),
        Mistake(
            "The values are compared with their plain mean, and should be with the answer, which "
            "is their weighted mean.",
            _if_soft(lambda w, v: w.unsqueeze(1) * (v - v.mean(0))),
        ),
        Mistake(
            "This is the gradient for the values: ∂c/∂v_j = α_j. Asked is the one for the scores.",
            _if_soft(lambda w, v: w.unsqueeze(1).expand_as(v)),
        ),
        Mistake(
            "The kind is not looked at: a hard lookup does not change when a score moves a little.",
            lambda scores, values, kind: _lookup_gradient(scores, values, "soft"),
        ),
        Mistake(
            "The hard lookup gives the value of the largest score, but its *slope* is another "
            "matter: add a millionth to that score, and nothing changes.",
            _one_hot_gradient,
        ),
    ],
)
