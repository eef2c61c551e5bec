"""Exercise 6.2: ``normalized_gradient``."""

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import layer_norm

from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.rules import as_list, first_unlike
from attnbook.exercises import Call, Exercise


def normalized_gradient(query: Tensor, key: Tensor) -> Tensor:
    """∂e/∂s of e = norm(s)·norm(h)/√H; query s and key h are both (..., H)."""
    spread = query.std(dim=-1, correction=0, keepdim=True)
    u, v = (
        (x - x.mean(-1, keepdim=True)) / x.std(dim=-1, correction=0, keepdim=True)
        for x in (query, key)
    )
    along = (u * v).mean(dim=-1, keepdim=True) * u
    return (v - along) / (spread * query.shape[-1] ** 0.5)


def _pairs() -> Inputs:
    yield {"query": torch.tensor([3.0, 1.0, 2.0]), "key": torch.tensor([0.0, 0.0, 3.0])}
    yield {"query": torch.tensor([5.0, 0.0, 1.0]), "key": torch.tensor([1.0, 2.0, -4.0])}
    make = normal(6)
    yield {"query": make(4), "key": make(4)}
    yield {"query": 3 * make(2, 5) + 1, "key": make(2, 5)}
    yield {"query": make(4, 4), "key": 2 * make(4, 4) - 1}
    yield {"query": 0.1 * make(2, 3, 6), "key": make(2, 3, 6)}


def _try_it(call: Call) -> str | None:
    """Finite differences, in words."""
    query, key = call.query.double(), call.key.double()
    size = query.shape[-1]
    slopes = torch.zeros_like(query)
    for i in range(size):
        step = torch.zeros(size, dtype=torch.double)
        step[i] = 1e-5
        up, down = (
            (layer_norm(query + d, (size,), eps=0) * layer_norm(key, (size,), eps=0)).sum(-1)
            for d in (step, -step)
        )
        slopes[..., i] = (up - down) / 2e-5 / size**0.5
    found = first_unlike(call.result.double(), slopes)
    if found is None:
        return None
    at = tuple(found[0])
    return (
        f"Raise number {at[-1]} of the query {as_list(query[at[:-1]])} a little: the score changes "
        f"by {slopes[at]:.4f} for each unit. Your gradient is {call.result[at]:.4f}."
    )


def _sums_to_zero(call: Call) -> str | None:
    total = float(call.result.sum(-1).abs().max())
    size = float(call.result.abs().max())
    if total < 1e-3 * max(1.0, size):
        return None
    return (
        f"The gradient sums to {total:.3f}. Adding the same number to the whole query changes no "
        "score, because the mean is subtracted, so it must sum to 0."
    )


def _right_angle(call: Call) -> str | None:
    along = float((call.result * call.query).sum(-1).abs().max())
    size = float((call.result * call.query).abs().max())
    if along < 1e-3 * max(1.0, size):
        return None
    return (
        f"The gradient times the query is {along:.3f}. A query twice as long has the same score, "
        "so this product must be 0: did you let σ change with the query?"
    )


def _of_parts(formula: Any) -> Any:
    """A wrong formula of u, v, σ and H."""

    def wrong(query: Any, key: Any) -> Any:
        spread = query.std(dim=-1, correction=0, keepdim=True)
        u, v = (layer_norm(x, x.shape[-1:], eps=0) for x in (query, key))
        return formula(u, v, spread, query.shape[-1])

    return wrong


def _mean(x: Any) -> Any:
    return x.mean(dim=-1, keepdim=True)


CHECK = Exercise(
    normalized_gradient,
    inputs=_pairs,
    rules={
        "the gradient sums to 0": _sums_to_zero,
        "the gradient is at a right angle to the query": _right_angle,
        "the gradient is what trying it out gives": _try_it,
    },
    gradients=(),  # it computes a gradient by hand; nobody goes back through that
    mistakes={
        "This is v / (σ √H): it treats m and σ as constants. When one number of the query is "
        "raised, its σ changes as well.": _of_parts(lambda u, v, spread, H: v / (spread * H**0.5)),
        "The score is divided by √H, and so is its gradient: that factor is missing.": (
            lambda query, key: normalized_gradient(query, key) * query.shape[-1] ** 0.5
        ),
        "The division by σ is missing: the query is divided by it before the product.": (
            _of_parts(lambda u, v, spread, H: (v - _mean(u * v) * u) / H**0.5)
        ),
        "This is the gradient with respect to the key.": (
            lambda query, key: normalized_gradient(key, query)
        ),
        "The part along u is the mean of u · v, times u. You took the sum, which is H times as "
        "large: u has the length √H, not 1.": _of_parts(
            lambda u, v, spread, H: (v - (u * v).sum(-1, keepdim=True) * u) / (spread * H**0.5)
        ),
        "You add the part of v along u. Subtract it: the change of σ takes it away.": _of_parts(
            lambda u, v, spread, H: (v + _mean(u * v) * u) / (spread * H**0.5)
        ),
        "torch's std divides by H − 1 unless you pass correction=0; σ² is the mean squared "
        "deviation.": [
            lambda query, key: normalized_gradient(query, key) * (1 - 1 / query.shape[-1]),
            lambda query, key: normalized_gradient(query, key) * (1 - 1 / query.shape[-1]) ** 0.5,
        ],
    },
)
