"""Exercise 6.5: ``through_softmax``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.ch05.shared import by_hand
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import shown


def through_softmax(weights: Tensor, gradient: Tensor) -> Tensor:
    """Gradient with respect to the scores; weights α and gradient ∂L/∂α are both (..., S)."""
    mean = (weights * gradient).sum(dim=-1, keepdim=True)
    return weights * (gradient - mean)


def _weights_and_gradient() -> Inputs:
    yield {"weights": torch.tensor([0.5, 0.5]), "gradient": torch.tensor([1.0, 3.0])}
    yield {"weights": torch.tensor([0.25, 0.75]), "gradient": torch.tensor([4.0, 0.0])}
    make = normal(8)
    yield {"weights": make(3, 3).softmax(-1), "gradient": make(3, 3)}
    yield {"weights": make(3, 4).softmax(-1), "gradient": make(3, 4)}
    yield {"weights": (5 * make(2, 3, 5)).softmax(-1), "gradient": make(2, 3, 5)}
    yield {"weights": torch.eye(6)[:2], "gradient": make(2, 6)}


def _through(weights: Tensor, gradient: Tensor) -> Tensor:
    return weights * (gradient - (weights * gradient).sum(-1, keepdim=True))


def _rows_alone(call: Call) -> str | None:
    if call.weights.dim() == 1:
        return None
    first = (0,) * (call.weights.dim() - 1)
    alone = call(weights=call.weights[first], gradient=call.gradient[first])
    if torch.allclose(alone, call.result[first], atol=1e-5):
        return None
    return (
        "The first row alone has another gradient than among the others. Each row is a softmax of "
        "its own: along which dimension is summed?"
    )


def _same_for_all(call: Call) -> str | None:
    moved = call(gradient=call.gradient + 10.0)
    if torch.allclose(moved, call.result, atol=1e-4):
        return None
    change = float((moved - call.result).abs().max())
    return (
        f"With 10 added to every g the result changes by {change:.2f}. The weights sum to 1 "
        "whatever the scores are, so that only differences between the g can matter."
    )


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


def _one_number(call: Call, *at: int) -> str:
    weights, gradient = (x[at[:-1]] for x in (call.weights, call.gradient))
    mean, k = (weights * gradient).sum(), at[-1]
    return (
        f"the row has α = {shown(weights)} and g = {shown(gradient)}, so Σ α g = "
        f"{shown(mean.item())}, and α_k (g_k − Σ α g) for k = {k} is "
        f"{shown((weights[k] * (gradient[k] - mean)).item())}"
    )


def _no_keepdim(weights: Tensor, gradient: Tensor) -> Tensor:
    return weights * (gradient - (weights * gradient).sum(-1))


_ONE_VECTOR = (
    "This is the Jacobian of one vector: torch.diag and torch.outer do not go row by row. With "
    "several rows, (..., S), write the sum over j by hand, or use diag_embed."
)

CHECK = Exercise(
    "through_softmax",
    reference=through_softmax,
    inputs=_weights_and_gradient,
    rules={
        "a row has the same gradient alone and among others": _rows_alone,
        "a row of the result sums to 0": _sums_to_zero,
        "with all weight on one position nothing comes through": _saturated,
        "the same number added to every g changes nothing": _same_for_all,
        "every number is α (g − Σ α g) of its row": by_hand(_one_number),
    },
    gradients=(),  # it computes a gradient by hand; nobody goes back through that
    mistakes=[
        (
            "This is α (1 − α) g: the effect of a score on its own weight only. A score that "
            "grows also takes from all the others.",
            lambda weights, gradient: weights * (1 - weights) * gradient,
        ),
        (
            "This is α g, the first half. What the other weights lose is missing: subtract from "
            "each g the mean of all g, weighted by α.",
            lambda weights, gradient: weights * gradient,
        ),
        (
            "This is the second half only. The part with δ is missing: α g.",
            lambda weights, gradient: -weights * (weights * gradient).sum(-1, keepdim=True),
        ),
        (
            "The two halves are added. The Jacobian is α_j (δ_jk − α_k): subtract the second.",
            lambda weights, gradient: (
                weights * (gradient + (weights * gradient).sum(-1, keepdim=True))
            ),
        ),
        (
            "The plain mean of g is subtracted. Weigh it by α.",
            lambda weights, gradient: weights * (gradient - gradient.mean(-1, keepdim=True)),
        ),
        (
            "The plain sum of g is subtracted. Weigh it by α.",
            lambda weights, gradient: weights * (gradient - gradient.sum(-1, keepdim=True)),
        ),
        (
            "What is subtracted is Σ α g divided by the number of positions. The weights sum to "
            "1, so Σ α g is a mean already.",
            lambda weights, gradient: (
                weights * (gradient - (weights * gradient).mean(-1, keepdim=True))
            ),
        ),
        (
            "The factor α is missing in the second half: α_k Σ α_j g_j.",
            lambda weights, gradient: (
                weights * gradient - (weights * gradient).sum(-1, keepdim=True)
            ),
        ),
        (
            "The sign is turned round: a score grows its own weight.",
            lambda weights, gradient: -_through(weights, gradient),
        ),
        (
            "The last factor α is missing: a position without weight would get a gradient.",
            lambda weights, gradient: gradient - (weights * gradient).sum(-1, keepdim=True),
        ),
        (
            "There is a factor α too many: α (g − Σ α g) is all.",
            lambda weights, gradient: weights * _through(weights, gradient),
        ),
        (
            "There is a factor 1 − α too many: α (g − Σ α g) is all.",
            lambda weights, gradient: (1 - weights) * _through(weights, gradient),
        ),
        (
            "A softmax was taken once more: the weights that you are given are weights already.",
            lambda weights, gradient: _through(weights.softmax(-1), gradient),
        ),
        (
            "A softmax is taken of g: it is a gradient, and enters as it is.",
            lambda weights, gradient: _through(weights, gradient.softmax(-1)),
        ),
        (
            "The sum runs over everything. Each row is a softmax of its own: sum over the last "
            "dimension.",
            lambda weights, gradient: weights * (gradient - (weights * gradient).sum()),
        ),
        (
            "The sum runs over the first dimension. Each row is a softmax of its own: sum over "
            "the last dimension.",
            lambda weights, gradient: (
                weights * (gradient - (weights * gradient).sum(0, keepdim=True))
            ),
        ),
        (
            "The sum loses its dimension: with several rows it meets the wrong ones, or does not "
            "fit at all. keepdim=True leaves it in place.",
            _no_keepdim,
        ),
        (
            _ONE_VECTOR,
            lambda weights, gradient: (
                (torch.diag(weights) - torch.outer(weights, weights)) @ gradient
            ),
        ),
        (
            _ONE_VECTOR,
            lambda weights, gradient: (
                (-torch.outer(weights, weights) + torch.diag(weights)) @ gradient
            ),
        ),
        (
            "The rows of g are taken for a matrix here. For each row of its own the Jacobian wants "
            "a column: (J @ g.unsqueeze(-1)).squeeze(-1).",
            lambda weights, gradient: (
                (torch.diag_embed(weights) - weights.unsqueeze(-1) * weights.unsqueeze(-2))
                @ gradient
            ),
        ),
        (
            "The gradient comes back as it came in. What does the softmax make of it?",
            lambda weights, gradient: gradient.clone(),
        ),
    ],
)
