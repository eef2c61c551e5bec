"""Exercise 5.2: ``general_score``."""

from __future__ import annotations

import torch

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _query_keys_weight() -> Inputs:
    yield {
        "query": torch.tensor([[[1.0, 2.0]]]),
        "keys": torch.tensor([[[1.0, 0.0], [0.0, 1.0]]]),
        "weight": torch.tensor([[0.0, 3.0], [5.0, 0.0]]),
    }
    make = normal(1)
    yield {"query": make(2, 1, 3), "keys": make(2, 4, 3), "weight": make(3, 3)}
    yield {"query": make(2, 3, 4), "keys": make(2, 5, 4), "weight": make(4, 4)}
    yield {"query": make(2, 3, 4), "keys": make(2, 5, 6), "weight": make(4, 6)}


def _own_key_only(call: Call) -> str | None:
    touched = call.keys.clone()
    touched[:, 0] += 1.0
    if call.keys.shape[1] < 2 or torch.allclose(call(keys=touched)[..., 1:], call.result[..., 1:]):
        return None
    return "When the first key changes, the scores of the other keys change as well."


CHECK = Exercise(
    "general_score",
    reference=lambda query, keys, weight: query @ weight @ keys.transpose(1, 2),
    inputs=_query_keys_weight,
    rules={
        "a score depends on its own key only": _own_key_only,
        "a query twice as long has scores twice as large": lambda call: torch.allclose(
            call(query=2 * call.query), 2 * call.result, atol=1e-4
        ),
    },
    mistakes=[
        Mistake(
            "This is the score with Wᵀ: which side of W does the query stand on?",
            lambda query, keys, weight: query @ weight.T @ keys.transpose(1, 2),
        ),
        Mistake(
            "This is the dot product of query and key: the matrix has not been used.",
            lambda query, keys, weight: query @ keys.transpose(1, 2),
        ),
        Mistake(
            "These are weights: a score is what goes into the softmax.",
            lambda query, keys, weight: (query @ weight @ keys.transpose(1, 2)).softmax(-1),
        ),
        Mistake(
            "The general score is a bare product: there is no tanh in it.",
            lambda query, keys, weight: torch.tanh(query @ weight @ keys.transpose(1, 2)),
        ),
        Mistake(
            "The general score is not scaled: nothing is divided by a square root.",
            lambda query, keys, weight: (
                query @ weight @ keys.transpose(1, 2) / keys.shape[-1] ** 0.5
            ),
        ),
    ],
)
