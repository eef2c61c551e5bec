"""Exercise 4.3: ``lookup_gradient``."""

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.rules import as_list
from attnbook.exercises import Call, Exercise


def lookup_gradient(scores: Tensor, values: Tensor, kind: str) -> Tensor:
    """Row j = ∂c/∂e_j of the lookup "soft" or "hard". scores (S,), values (S, H) → (S, H)."""
    if kind == "hard":
        return torch.zeros_like(values)
    weights = scores.softmax(dim=0)  # (S,)
    return weights.unsqueeze(1) * (values - weights @ values)


def _scores_and_values() -> Inputs:
    for kind in ("soft", "hard"):
        make = normal(1)
        for scores, values in (
            (torch.tensor([0.0, 0.0]), torch.tensor([[0.0], [8.0]])),
            (make(3), make(3, 2)),
            (make(5), make(5, 4)),
            (torch.tensor([200.0, 198.5, -150.0, 199.0]), make(4, 3)),
        ):
            yield {"scores": scores, "values": values, "kind": kind}


def _no_gradient_if_hard(call: Call) -> bool | str:
    return (
        call.kind != "hard"
        or not bool(call.result.any())
        or (
            f'kind = "hard": the largest entry is {float(call.result.abs().max()):.2g}. Add a '
            "millionth to any score: does the value of the largest score change?"
        )
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
                f"If score {j} is raised a little, the answer changes by {as_list(slope)} per "
                f"unit. Your row {j} is {as_list(call.result[j])}."
            )
    return None


def _if_soft(soft: Any) -> Any:
    """A mistake in the soft gradient alone, a function of weights (S, 1) and values."""
    return lambda scores, values, kind: (
        torch.zeros_like(values) if kind == "hard" else soft(scores.softmax(0)[:, None], values)
    )


def _overflow(scores: Any, values: Any, kind: Any) -> Any:
    """Shares of exponentials that may be ∞. The softmax of their logarithms is the shares again."""
    shares = scores.exp() / scores.exp().sum()
    return lookup_gradient(shares.log(), values, kind)


CHECK = Exercise(
    lookup_gradient,
    inputs=_scores_and_values,
    rules={
        "a hard lookup has no gradient": _no_gradient_if_hard,
        "the gradient agrees with the measured change": _try_it,
    },
    gradients=(),  # it computes a gradient by hand; nobody goes back through that
    mistakes={
        "α_j v_j is the contribution, not the gradient. When one weight rises the others fall, so "
        "the value counts only as far as it differs from the answer.": _if_soft(lambda w, v: w * v),
        "α_j (1 − α_j) v_j is only what happens to the weight of j itself. The other weights also "
        "change, and with them what their values contribute.": _if_soft(
            lambda w, v: w * (1 - w) * v
        ),
        "The sign is wrong: raising a score pulls the answer toward its value.": (
            lambda **arguments: -lookup_gradient(**arguments)
        ),
        "The weight is missing: a key that has no weight has no pull, wherever its value is.": (
            _if_soft(lambda w, v: v - w.T @ v)
        ),
        "The weights are squared here. Each row is multiplied by its weight once.": (
            _if_soft(lambda w, v: w**2 * (v - w.T @ v))
        ),
        "You compare the values with their plain mean. Compare them with the answer, which is "
        "their weighted mean.": _if_soft(lambda w, v: w * (v - v.mean(0))),
        "e^200 is ∞ in the computer's numbers, and ∞/∞ is not a number. softmax first subtracts "
        "the largest score from all of them, which changes nothing else.": _overflow,
    },
)
