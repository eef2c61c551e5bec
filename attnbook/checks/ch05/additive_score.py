"""Exercise 5.5: ``additive_score``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _additive_inputs() -> Inputs:
    yield {
        "query": torch.tensor([[[1.0], [-1.0]]]),
        "keys": torch.tensor([[[2.0], [0.0]]]),
        "w": torch.tensor([[0.5]]),
        "u": torch.tensor([[1.0]]),
        "v": torch.tensor([2.0]),
    }
    make = normal(4)
    yield {"query": make(2, 3, 4), "keys": make(2, 3, 4), "w": make(5, 4), "u": make(5, 4),
           "v": make(5)}  # fmt: skip
    yield {"query": make(2, 3, 4), "keys": make(2, 5, 6), "w": make(7, 4), "u": make(7, 6),
           "v": make(7)}  # fmt: skip


def _inner(query: Tensor, keys: Tensor, w: Tensor, u: Tensor) -> Tensor:
    return (query @ w.T).unsqueeze(2) + (keys @ u.T).unsqueeze(1)


def _query_matters(call: Call) -> str | None:
    if call.query.shape[1] < 2:
        return None
    first, second = call.result[:, 0].softmax(-1), call.result[:, 1].softmax(-1)
    if not torch.allclose(first, second, atol=1e-6):
        return None
    return (
        "Two different queries get the same weights. What is added to the scores of all keys "
        "alike is lost in the softmax: what bends W s + U h?"
    )


CHECK = Exercise(
    "additive_score",
    reference=lambda query, keys, w, u, v: torch.tanh(_inner(query, keys, w, u)) @ v,
    inputs=_additive_inputs,
    rules={"two queries get two distributions": _query_matters},
    mistakes=[
        Mistake(
            "This is linear in query and key. Then the query adds the same number to the scores "
            "of all keys, and the softmax does not see it. What bends W s + U h?",
            lambda query, keys, w, u, v: _inner(query, keys, w, u) @ v,
        ),
        Mistake(
            "The tanh is outside: it bends W s + U h, before v sums.",
            lambda query, keys, w, u, v: torch.tanh(_inner(query, keys, w, u) @ v),
        ),
        Mistake(
            "Query and key are bent one by one. The tanh takes their sum: otherwise the query "
            "adds the same to all keys.",
            lambda query, keys, w, u, v: (
                (torch.tanh(query @ w.T) @ v).unsqueeze(2)
                + (torch.tanh(keys @ u.T) @ v).unsqueeze(1)
            ),
        ),
        Mistake(
            "The hidden numbers are summed, but not weighted by v.",
            lambda query, keys, w, u, v: torch.tanh(_inner(query, keys, w, u)).sum(-1),
        ),
        Mistake(
            "This is a ReLU. Bahdanau's score has a tanh.",
            lambda query, keys, w, u, v: torch.relu(_inner(query, keys, w, u)) @ v,
        ),
        Mistake(
            "Rows are keys and columns are queries here: query t belongs in row t.",
            lambda query, keys, w, u, v: (torch.tanh(_inner(query, keys, w, u)) @ v).transpose(
                1, 2
            ),
        ),
        Mistake(
            "Query and key are multiplied with one another. The additive score adds them.",
            lambda query, keys, w, u, v: (
                torch.tanh((query @ w.T).unsqueeze(2) * (keys @ u.T).unsqueeze(1)) @ v
            ),
        ),
    ],
)
