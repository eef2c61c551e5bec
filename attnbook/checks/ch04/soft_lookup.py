"""Exercise 4.1: ``soft_lookup``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


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


def _average(call: Call) -> str | None:
    answer = float(call(values=torch.full_like(call.values, 5.0)))
    if abs(answer - 5.0) < 1e-4:
        return None
    return f"When every value is 5, the answer is {answer:.2f}. To what do the weights sum?"


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


def _soft_lookup(similarities: Tensor, values: Tensor, kind: str) -> Tensor:
    weights = similarities / similarities.sum() if kind == "ratio" else similarities.softmax(0)
    return weights @ values


CHECK = Exercise(
    "soft_lookup",
    reference=_soft_lookup,
    inputs=_similarities,
    rules={
        "the weights sum to 1": _average,
        "the ratio ignores a factor, the softmax a shift": _indifferent,
    },
    mistakes=[
        Mistake(
            "Both kinds are the ratio here. The softmax takes the exponential before it divides: "
            "it is not the share of the total similarity.",
            lambda similarities, values, kind: similarities / similarities.sum() @ values,
        ),
        Mistake(
            "Both kinds are the softmax here. The ratio divides the similarities themselves.",
            lambda similarities, values, kind: similarities.softmax(0) @ values,
        ),
        Mistake(
            "The two kinds are exchanged: which of them has the exponential?",
            lambda similarities, values, kind: _soft_lookup(
                similarities, values, "softmax" if kind == "ratio" else "ratio"
            ),
        ),
        Mistake(
            "Similarity times value is added up, but nothing is divided: the weights do not sum "
            "to 1.",
            lambda similarities, values, kind: similarities @ values,
        ),
        Mistake(
            "The exponentials are not divided by their sum: the weights do not sum to 1.",
            lambda similarities, values, kind: (
                (similarities / similarities.sum() if kind == "ratio" else similarities.exp())
                @ values
            ),
        ),
        Mistake(
            "This is the value of the most similar key alone: a hard lookup.",
            lambda similarities, values, kind: values[similarities.argmax()],
        ),
        Mistake(
            "This is the plain mean of the values: no similarity has been used.",
            lambda similarities, values, kind: values.mean(),
        ),
    ],
)
