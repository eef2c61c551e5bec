"""Exercise 6.3: ``through_softmax``."""

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.rules import by_hand
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import fmt


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
    yield {"weights": make(1, 3).softmax(-1), "gradient": make(1, 3)}


def _sums_to_zero(call: Call) -> str | None:
    total = float(call.result.sum(-1).abs().max())
    if total < 1e-4:
        return None
    return (
        f"The result sums to {total:.2f} along a row. Adding the same number to all scores does "
        "not change the weights, so that the gradient must sum to 0. Does each weight depend "
        "on the other scores, too?"
    )


def _one_number(call: Call, *at: int) -> str:
    weights, gradient = (x[at[:-1]] for x in (call.weights, call.gradient))
    mean, k = (weights * gradient).sum(), at[-1]
    return (
        f"the row has α = {fmt(weights)} and g = {fmt(gradient)}, so Σ α g = "
        f"{fmt(mean.item())}, and α_k (g_k − Σ α g) for k = {k} is "
        f"{fmt((weights[k] * (gradient[k] - mean)).item())}"
    )


#: Wrong formulas of α, g and the sum Σ α g of each row.
_FORMULAS: dict[str, Any] = {
    "This is α (1 − α) g: the effect of a score on its own weight only. A score that grows also "
    "takes from all the others.": lambda a, g, mean: a * (1 - a) * g,
    "The plain mean of g is subtracted. Weigh it by α.": (
        lambda a, g, mean: a * (g - g.mean(-1, keepdim=True))
    ),
    "The sum runs over everything. Each row is a softmax of its own: sum over the last "
    "dimension.": lambda a, g, mean: a * (g - mean.sum()),
    "The sum loses its dimension: with several rows it meets the wrong ones, or does not fit at "
    "all. keepdim=True leaves it in place.": lambda a, g, mean: a * (g - (a * g).sum(-1)),
}


def _of_both(formula: Any) -> Any:
    return lambda weights, gradient: formula(
        weights, gradient, (weights * gradient).sum(-1, keepdim=True)
    )


CHECK = Exercise(
    through_softmax,
    inputs=_weights_and_gradient,
    rules={
        "a row of the result sums to 0": _sums_to_zero,
        "every number is α (g − Σ α g) of its row": by_hand(_one_number),
    },
    gradients=(),  # it computes a gradient by hand; nobody goes back through that
    mistakes={
        **{diagnosis: _of_both(formula) for diagnosis, formula in _FORMULAS.items()},
        "A softmax was taken once more: the weights that you are given are weights already.": (
            lambda weights, gradient: through_softmax(weights.softmax(-1), gradient)
        ),
    },
)
