"""Exercise 5.11: ``contribution_shares``."""

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.rules import as_list
from attnbook.exercises import Call, Exercise


def contribution_shares(weights: Tensor, values: Tensor) -> Tensor:
    """‖α_tj v_j‖ as a share of its sum over j. weights (B, T, S), values (B, S, H) → (B, T, S)."""
    lengths = weights * values.norm(dim=-1).unsqueeze(1)  # (B, T, S)
    return lengths / lengths.sum(dim=-1, keepdim=True)


def _weights_and_values() -> Inputs:
    yield {
        "weights": torch.tensor([[[0.75, 0.25]]]),
        "values": torch.tensor([[[0.0, 1.0, 0.0], [4.0, 0.0, -3.0]]]),
    }
    make = normal(3)
    yield {"weights": make(2, 4, 3).softmax(-1), "values": make(2, 3, 5)}
    weights = make(3, 2, 4).softmax(-1)
    weights[1, :, 2:] = 0.0  # as after a mask
    yield {"weights": weights / weights.sum(-1, keepdim=True), "values": make(3, 4, 6)}


def _lengths(weights: Any, values: Any) -> Any:
    return weights * values.norm(dim=-1).unsqueeze(1)


def _rows_sum_to_one(call: Call) -> str | None:
    for b, t in ((call.result.sum(-1) - 1).abs() > 1e-4).nonzero().tolist():
        return (
            f"The shares of query {t} in sentence {b} sum to {float(call.result[b, t].sum()):.2f}. "
            "Shares of a whole sum to 1."
        )
    return None


def _as_the_lengths(call: Call) -> str | None:
    lengths = _lengths(call.weights, call.values)
    for b, t, _ in (~torch.isclose(call.result, call.expected, atol=1e-5)).nonzero().tolist():
        return (
            f"For query {t} of sentence {b} the lengths of α v are {as_list(lengths[b, t])}; your "
            f"shares are {as_list(call.result[b, t])}, and do not relate to each other as these do."
        )
    return None


def _shares(measure: Any) -> Any:
    """Shares of something else than the lengths, made of weights (B, T, S) and values."""

    def wrong(weights: Any, values: Any) -> Any:
        parts = measure(weights, values)
        return parts / parts.sum(-1, keepdim=True)

    return wrong


def _divided(divide: Any) -> Any:
    """The right lengths, and what is made of them."""
    return lambda weights, values: divide(_lengths(weights, values))


_SHARES_OF: dict[str, Any] = {
    "These are the weights themselves. How long is what each of them multiplies, over its features "
    "(dim=-1)?": lambda w, v: w,
    "The lengths of the values are squared: the root is missing.": (
        lambda w, v: w * v.square().sum(-1).unsqueeze(1)
    ),
    "All sentences are given the first one's values.": lambda w, v: _lengths(w, v[:1]),
    "The entries of α v are added with their signs. A length is the root of the sum of squares.": (
        lambda w, v: w * v.sum(-1).unsqueeze(1)
    ),
    "The absolute entries are added. The length ‖v‖ is the root of the sum of squares.": (
        lambda w, v: w * v.abs().sum(-1).unsqueeze(1)
    ),
}
_MADE_OF_LENGTHS: dict[str, Any] = {
    "The lengths are not divided by their sum: shares are asked for.": lambda lengths: lengths,
    "A softmax is taken of the lengths. A share is the length divided by the sum of all.": (
        lambda lengths: lengths.softmax(-1)
    ),
    "The lengths are divided by one sum for all queries of the sentence. Every query has its own, "
    "over the keys.": lambda lengths: lengths / lengths.sum((1, 2), keepdim=True),
    "The lengths are divided by the largest. A share is one of their *sum*.": (
        lambda lengths: lengths / lengths.amax(-1, keepdim=True)
    ),
    "The shares sum to 1 over the queries. They should over the keys: what does one answer consist "
    "of?": lambda lengths: lengths / lengths.sum(1, keepdim=True),
}

CHECK = Exercise(
    contribution_shares,
    inputs=_weights_and_values,
    rules={
        "the shares of a query sum to 1": _rows_sum_to_one,
        "shares relate as the lengths of α v do": _as_the_lengths,
    },
    gradients=(),  # it measures; nothing goes back through that
    mistakes={
        **{diagnosis: _shares(measure) for diagnosis, measure in _SHARES_OF.items()},
        **{diagnosis: _divided(divide) for diagnosis, divide in _MADE_OF_LENGTHS.items()},
        "The lengths are divided by the length of the context. Contributions may point in "
        "different directions: divide by the sum of their lengths.": (
            lambda weights, values: (
                _lengths(weights, values) / (weights @ values).norm(dim=-1, keepdim=True)
            )
        ),
    },
)
