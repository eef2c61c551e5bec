"""Exercise 6.1: ``general_matrix``."""

from typing import Any

import torch

from attnbook.checks.inputs import Inputs, normal
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import fmt


def general_matrix(from_query: Any, from_key: Any) -> Any:
    """W_a (Hd, He) of two layers' weights, (A, Hd) on the query and (A, He) on the key, or None."""
    if from_query is None:
        return from_key
    if from_key is None:
        return from_query.T
    return from_query.T @ from_key


def _two_layers() -> Inputs:
    yield {"from_query": torch.tensor([[1.0, 2.0], [0.0, 3.0]]), "from_key": None}
    yield {"from_query": None, "from_key": torch.tensor([[1.0, 2.0], [0.0, 3.0]])}
    make = normal(2)
    yield {"from_query": make(3, 3), "from_key": make(3, 3)}
    yield {"from_query": None, "from_key": make(4, 2)}
    yield {"from_query": make(2, 4), "from_key": None}
    yield {"from_query": make(3, 4), "from_key": make(3, 5)}
    yield {"from_query": make(6, 4), "from_key": make(6, 2)}
    yield {"from_query": make(3, 1), "from_key": make(3, 2)}
    yield {"from_query": make(3, 2), "from_key": make(3, 1)}


def _missing_layer(call: Call) -> str | None:
    if call.from_query is not None and call.from_key is not None:
        return None
    weight = (call.from_key if call.from_query is None else call.from_query).detach()
    result = call.result.detach()
    if any(x.shape == result.shape and torch.allclose(result, x) for x in (weight, weight.T)):
        return None
    return (
        f"One layer is missing, and the other's weight is {fmt(weight)}. A missing layer changes "
        f"nothing, so W_a has the same numbers, as it is or transposed. You return {fmt(result)}."
    )


def _same_score(call: Call) -> str | None:
    """The promise itself: sᵀ W h is the dot product after the layers."""
    s = torch.arange(1.0, call.expected.shape[0] + 1)
    h = torch.arange(2.0, call.expected.shape[1] + 2)
    ours = float(s @ call.result @ h)
    query = s if call.from_query is None else call.from_query @ s
    key = h if call.from_key is None else call.from_key @ h
    expected = float(query @ key)
    if abs(ours - expected) < 1e-3 * max(1.0, abs(expected)):
        return None
    return (
        f"For the query {fmt(s)} and the key {fmt(h)} the layers give the score {expected:.2f}, "
        f"but your W gives {ours:.2f}."
    )


def _of(query: Any, key: Any, both: Any) -> Any:
    """What is made of the query's weight alone, of the key's alone, and of both."""

    def wrong(from_query: Any, from_key: Any) -> Any:
        if from_query is None:
            return key(from_key)
        return query(from_query) if from_key is None else both(from_query, from_key)

    return wrong


_QUERY = "A layer on the query turns s into P s, and (P s)ᵀ = sᵀ Pᵀ: its weight enters transposed."

CHECK = Exercise(
    general_matrix,
    inputs=_two_layers,
    rules={
        "a layer that is missing changes nothing": _missing_layer,
        "sᵀ W h is the score of the layers": _same_score,
    },
    mistakes={
        "This is W_aᵀ: it has a row for each number of the key. On which side of W_a is the "
        "query?": (lambda from_query, from_key: general_matrix(from_query, from_key).T),
        _QUERY: [
            _of(lambda a: a, lambda b: b, lambda a, b: a.T @ b),
            _of(lambda a: a, lambda b: b, lambda a, b: a @ b.T),
        ],
        "A layer on the key gives R h, and sᵀ (R h) = sᵀ R h: its weight is W_a as it is. Only "
        "a layer on the query enters transposed.": _of(
            lambda a: a.T, lambda b: b.T, lambda a, b: a.T @ b
        ),
        "With one layer the answer is right. With both, (P s)ᵀ (R h) = sᵀ Pᵀ R h: which of the "
        "two is transposed, and which is on the left?": _of(
            lambda a: a.T, lambda b: b, lambda a, b: a @ b.T
        ),
        "You multiply the two matrices number by number. (P s)ᵀ (R h) = sᵀ Pᵀ R h is a matrix "
        "product: @.": _of(lambda a: a.T, lambda b: b, lambda a, b: a.T * b),
        "Where one layer is missing, you return None: did you return the missing weight? W_a "
        "comes from the weight that is there.": _of(
            lambda a: None, lambda b: None, lambda a, b: a.T @ b
        ),
    },
)
