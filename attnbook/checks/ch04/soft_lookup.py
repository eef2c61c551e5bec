"""Exercise 4.1: ``soft_lookup``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch04.shared import listed
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def soft_lookup(similarities: Any, values: Any, kind: Any) -> Any:
    """Σ_j w_j v_j, where the weights w sum to 1. Both (S,), kind "ratio" or "softmax" → ()."""
    if kind == "ratio":
        weights = similarities / similarities.sum()
    else:
        weights = similarities.softmax(dim=0)
    return weights @ values


def _similarities() -> Inputs:
    note = {"similarities": torch.tensor([0.1, 0.9, 0.7]), "values": torch.tensor([9.0, 2.0, 3.0])}
    for kind in ("ratio", "softmax"):
        yield {
            "similarities": torch.tensor([1.0, 3.0]),
            "values": torch.tensor([0.0, 8.0]),
            "kind": kind,
        }
        yield {**note, "kind": kind}
    make = normal(0)
    yield {"similarities": make(6), "values": make(6), "kind": "softmax"}
    yield {"similarities": make(5).abs() + 0.1, "values": make(5), "kind": "ratio"}


def _average(call: Call) -> str | None:
    answer = float(call(values=torch.full_like(call.values, 5.0)))
    if abs(answer - 5.0) < 1e-4:
        return None
    return f"When every value is 5, the answer is {answer:.2f}, and a weighted mean of fives is 5."


def _each_weight(call: Call) -> str | None:
    """A value of 1 for one key and 0 for the others shows that key's weight."""
    each = torch.eye(len(call.values)).to(call.values)
    weights = torch.stack([call(values=value) for value in each])
    e, kind = call.similarities, call.kind
    right = e / e.sum() if kind == "ratio" else e.softmax(0)
    if torch.allclose(weights, right, atol=1e-5):
        return None
    made = "similarities" if kind == "ratio" else "exponentials of the similarities"
    parts = e if kind == "ratio" else e.exp()
    return (
        f'kind = "{kind}": the weights of the keys, seen with a value of 1 for one and 0 for the '
        f"others, are {listed(weights)}. The {made} are {listed(parts)}, and their shares "
        f"{listed(right)}."
    )


def _indifferent(call: Call) -> str | None:
    if call.kind == "ratio":
        changed, told = call(similarities=3 * call.similarities), "times 3"
    else:
        changed, told = call(similarities=call.similarities + 10), "plus 10"
    if torch.allclose(changed, call.result, atol=1e-4):
        return None
    return (
        f'kind = "{call.kind}": with all similarities {told} the answer changes from '
        f"{float(call.result):.3f} to {float(changed):.3f}, and it should not."
    )


Weigh = Callable[[Tensor], Tensor]


def _ratio(e: Tensor) -> Tensor:
    return e / e.sum()


def _softmax(e: Tensor) -> Tensor:
    return e.softmax(0)


def _kinds(ratio: Weigh, softmax: Weigh) -> Callable[[Tensor, Tensor, str], Tensor]:
    """A lookup whose weights are made by these, kind by kind."""
    return lambda similarities, values, kind: (
        (ratio if kind == "ratio" else softmax)(similarities) @ values
    )


def _hard(e: Tensor) -> Tensor:
    return torch.nn.functional.one_hot(e.argmax(), len(e)).to(e)


def _mistake(diagnosis: str, ratio: Weigh = _ratio, softmax: Weigh = _softmax) -> Mistake:
    function = _kinds(ratio, softmax)
    return (diagnosis, lambda similarities, values, kind: function(
        similarities, values, kind))  # fmt: skip


_lookup = _kinds(_ratio, _softmax)
NOT_DIVIDED = "The exponentials are not divided by their sum: the weights do not sum to 1."
NO_RATIO = 'kind = "ratio": '
NO_SOFTMAX = 'kind = "softmax": '

CHECK = Exercise(
    "soft_lookup",
    reference=soft_lookup,
    inputs=_similarities,
    rules={
        "the weights sum to 1": _average,
        "the ratio ignores a factor, the softmax a shift": _indifferent,
        "each key has the weight that its similarity gives": _each_weight,
    },
    mistakes=[
        _mistake(
            "Both kinds are the ratio here. The softmax takes the exponential before it divides: "
            "it is not the share of the total similarity.",
            softmax=_ratio,
        ),
        _mistake(
            "Both kinds are the softmax here. The ratio divides the similarities themselves.",
            ratio=_softmax,
        ),
        _mistake(
            "The two kinds are exchanged: which of them has the exponential?", _softmax, _ratio
        ),
        _mistake(
            "Similarity times value is added up, but nothing is divided: the weights do not sum "
            "to 1.",
            lambda e: e,
            lambda e: e,
        ),
        _mistake(NOT_DIVIDED, softmax=torch.exp),
        _mistake(
            "Nothing is divided by a sum, neither the similarities nor their exponentials: the "
            "weights do not sum to 1.",
            lambda e: e,
            torch.exp,
        ),
        _mistake(NO_RATIO + "the similarities are not divided by their sum.", lambda e: e),
        _mistake(
            NO_RATIO + "the similarities are divided by the largest, not by their sum.",
            lambda e: e / e.max(),
        ),
        _mistake(
            NO_RATIO + "the similarities are divided by their length (the root of the sum of "
            "squares), not by their sum.",
            lambda e: e / e.norm(),
        ),
        _mistake(
            NO_RATIO + "the similarities are divided by the number of keys, not by their sum.",
            lambda e: e / len(e),
        ),
        _mistake(
            "The weights are divided by the number of keys, not by their sum.",
            lambda e: e / len(e),
            lambda e: e.exp() / len(e),
        ),
        _mistake(
            NO_SOFTMAX + "the exponential is taken of the shares. It comes first, and then its "
            "shares are taken.",
            softmax=lambda e: _ratio(e).exp(),
        ),
        _mistake(
            NO_SOFTMAX + "the softmax is taken of the shares, and not of the similarities.",
            softmax=lambda e: _ratio(e).softmax(0),
        ),
        _mistake(
            NO_SOFTMAX + "the exponentials are divided by the sum of the similarities, not by "
            "their own.",
            softmax=lambda e: e.exp() / e.sum(),
        ),
        _mistake(
            NO_SOFTMAX + "the similarities are divided by the sum of the exponentials: above the "
            "line belongs the exponential, too.",
            softmax=lambda e: e / e.exp().sum(),
        ),
        *(
            _mistake(NO_SOFTMAX + f"these are powers of {base}; the softmax has powers of e.",
                     softmax=power)
            for base, power in (
                (2, lambda e: _ratio(2**e)),
                (10, lambda e: _ratio(10**e)),
            )
        ),
        _mistake(
            NO_SOFTMAX + "the sign of the similarity is turned round: the least similar key has "
            "the largest weight.",
            softmax=lambda e: (-e).softmax(0),
        ),
        _mistake(
            NO_SOFTMAX + "these are sigmoids, not exponentials.",
            softmax=lambda e: _ratio(e.sigmoid()),
        ),
        _mistake(
            NO_SOFTMAX + "this is the logarithm of the softmax.",
            softmax=lambda e: e.log_softmax(0),
        ),
        (
            "The mean of the products is taken. The weights sum to 1 already: add the products up.",
            lambda similarities, values, kind: (
                _lookup(similarities, values, kind) / len(values)
            ),
        ),
        (
            "The products of weight and value are not added up: one number is "
            "asked for, the sum over all keys.",
            lambda similarities, values, kind: (
                (_ratio if kind == "ratio" else _softmax)(similarities) * values
            ),
        ),
        (
            "The answer is right and has a dimension too many, (1,). One number is asked for.",
            lambda similarities, values, kind: _lookup(similarities, values, kind).view(1),
        ),
        (
            "The largest product is taken. All of them are added up.",
            lambda similarities, values, kind: (
                (_ratio if kind == "ratio" else _softmax)(similarities) * values
            ).max(),
        ),
        (
            "These are the weights. The answer is the sum of weight times value.",
            lambda similarities, values, kind: (
                (_ratio if kind == "ratio" else _softmax)(similarities)
            ),
        ),
        (
            "Values and similarities are exchanged: the weights are made of the similarities, and "
            "the values are averaged.",
            lambda similarities, values, kind: _lookup(values, similarities, kind),
        ),
        _mistake("This is the value of the most similar key alone: a hard lookup.", _hard, _hard),
        _mistake(
            NO_SOFTMAX + "this is the value of the most similar key alone, a hard lookup.",
            softmax=_hard,
        ),
        (
            "This is the plain mean of the values: no similarity has been used.",
            lambda similarities, values, kind: values.mean(),
        ),
        (
            "This is the plain sum of the values: no similarity has been used.",
            lambda similarities, values, kind: values.sum(),
        ),
    ],
)  # fmt: skip
