"""Exercise 4.1: ``soft_lookup``."""

from typing import Any

import torch

from attnbook.checks.attention import softmax
from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.rules import as_list, by_hand
from attnbook.exercises import Call, Exercise


def soft_lookup(similarities: Any, values: Any, kind: Any) -> Any:
    """Σ_j w_j v_j, where the weights w sum to 1. Both (S,), kind "ratio" or "softmax" → ()."""
    if kind == "ratio":
        weights = similarities / similarities.sum()
    else:
        weights = similarities.softmax(dim=0)
    return weights @ values


def _similarities() -> Inputs:
    two = {"similarities": torch.tensor([1.0, 3.0]), "values": torch.tensor([0.0, 8.0])}
    note = {"similarities": torch.tensor([0.1, 0.9, 0.7]), "values": torch.tensor([9.0, 2.0, 3.0])}
    for kind in ("ratio", "softmax"):
        yield {**two, "kind": kind}
        yield {**note, "kind": kind}
    make = normal(0)
    yield {"similarities": make(6), "values": make(6), "kind": "softmax"}
    yield {"similarities": make(5).abs() + 0.1, "values": make(5), "kind": "ratio"}


def _average(call: Call) -> bool | str:
    answer = float(call(values=torch.full_like(call.values, 5.0)))
    return abs(answer - 5.0) < 1e-4 or (
        f"When every value is 5, the answer is {answer:.2f}, and a weighted mean of fives is 5."
    )


def _weights_by_hand(call: Call) -> str:
    e = call.similarities
    amounts, parts = ("similarities", e) if call.kind == "ratio" else ("exponentials", e.exp())
    return (
        f'kind = "{call.kind}", the {amounts} are {as_list(parts)}, their shares '
        f"{as_list(parts / parts.sum())}, and the values {as_list(call.values)}"
    )


def _ratio(e: Any) -> Any:
    return e / e.sum()


def _hard(e: Any) -> Any:
    return torch.nn.functional.one_hot(e.argmax(), len(e)).to(e)


def _weights(ratio: Any = _ratio, exponential: Any = softmax, answer: Any = torch.matmul) -> Any:
    """A lookup whose weights are made otherwise, or an ``answer`` made otherwise of weights."""
    return lambda similarities, values, kind: answer(
        (ratio if kind == "ratio" else exponential)(similarities), values
    )


CHECK = Exercise(
    soft_lookup,
    inputs=_similarities,
    rules={
        "the weights sum to 1": _average,
        "each key has the weight that its similarity gives": by_hand(_weights_by_hand),
    },
    mistakes={
        "Both kinds are the softmax here. The ratio divides the similarities themselves.": (
            _weights(ratio=softmax)
        ),
        "The two kinds are exchanged: which of them has the exponential?": (
            _weights(softmax, _ratio)
        ),
        "The exponentials are not divided by their sum: the weights do not sum to 1.": (
            _weights(exponential=torch.exp)
        ),
        "This is the value of the most similar key alone: a hard lookup.": _weights(_hard, _hard),
        'kind = "softmax": the softmax is taken of the shares, and not of the similarities.': (
            _weights(exponential=lambda e: _ratio(e).softmax(0))
        ),
        'kind = "softmax": these are powers of 2; the softmax has powers of e.': (
            _weights(exponential=lambda e: _ratio(2**e))
        ),
        "The mean of the products is taken. The weights sum to 1 already: add the products up.": (
            _weights(answer=lambda w, v: (w * v).mean())
        ),
        "Values and similarities are exchanged: the weights are made of the similarities, and "
        "the values are averaged.": (
            lambda similarities, values, kind: soft_lookup(values, similarities, kind)
        ),
    },
)
