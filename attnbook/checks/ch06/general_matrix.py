"""Exercise 6.2: ``general_matrix``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _two_layers() -> Inputs:
    yield {"from_query": torch.tensor([[1.0, 2.0], [0.0, 3.0]]), "from_key": None}
    yield {"from_query": None, "from_key": torch.tensor([[1.0, 2.0], [0.0, 3.0]])}
    make = normal(2)
    yield {"from_query": make(3, 3), "from_key": make(3, 3)}
    yield {"from_query": None, "from_key": make(4, 2)}
    yield {"from_query": make(2, 4), "from_key": None}
    yield {"from_query": make(3, 4), "from_key": make(3, 5)}


def _general_matrix(from_query: Tensor | None, from_key: Tensor | None) -> Tensor:
    if from_query is None:
        assert from_key is not None
        return from_key
    return from_query.T if from_key is None else from_query.T @ from_key


def _same_score(call: Call) -> str | None:
    """The promise itself: sᵀ W h is the dot product after the layers."""
    s = torch.arange(1.0, call.expected.shape[0] + 1)
    h = torch.arange(2.0, call.expected.shape[1] + 2)
    ours = float(s @ call.result @ h)
    query = s if call.from_query is None else call.from_query @ s
    key = h if call.from_key is None else call.from_key @ h
    wanted = float(query @ key)
    if abs(ours - wanted) < 1e-3 * max(1.0, abs(wanted)):
        return None
    return f"For one query and one key the layers give the score {wanted:.2f}, your W {ours:.2f}."


def _swapped(matrix: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def wrong(from_query: Tensor | None, from_key: Tensor | None) -> Tensor:
        if from_query is None or from_key is None:
            return _general_matrix(from_query, from_key)
        return matrix(from_query, from_key)

    return wrong


CHECK = Exercise(
    "general_matrix",
    reference=_general_matrix,
    inputs=_two_layers,
    rules={"sᵀ W h is the score of the layers": _same_score},
    mistakes=[
        Mistake(
            "This is W_aᵀ: it has a row for each number of the key. On which side of W_a does "
            "the query stand?",
            lambda from_query, from_key: _general_matrix(from_query, from_key).T,
        ),
        Mistake(
            "A layer on the query makes A s of s, and (A s)ᵀ = sᵀ Aᵀ: its weight enters "
            "transposed.",
            lambda from_query, from_key: (
                from_query if from_key is None else _general_matrix(from_query, from_key)
            ),
        ),
        Mistake(
            "With one layer the answer is right. With both, (A s)ᵀ (B h) = sᵀ Aᵀ B h: which of "
            "the two is transposed, and which stands on the left?",
            _swapped(lambda from_query, from_key: from_query @ from_key),
        ),
        Mistake(
            "With one layer the answer is right. With both, (A s)ᵀ (B h) = sᵀ Aᵀ B h: which of "
            "the two is transposed, and which stands on the left?",
            _swapped(lambda from_query, from_key: from_query @ from_key.T),
        ),
        Mistake(
            "With one layer the answer is right. With both, this is W_aᵀ: Bᵀ A instead of Aᵀ B.",
            _swapped(lambda from_query, from_key: from_key.T @ from_query),
        ),
        Mistake(
            "The two matrices are added. One acts on the query and one on the key, and the two "
            "results are multiplied.",
            _swapped(lambda from_query, from_key: from_query.T + from_key),
        ),
        Mistake(
            "A layer on the key gives B h, and sᵀ (B h) = sᵀ B h: its weight is W_a as it is. "
            "Only a layer on the query enters transposed.",
            lambda from_query, from_key: (
                from_key.T if from_query is None else _general_matrix(from_query, from_key)
            ),
        ),
    ],
)
