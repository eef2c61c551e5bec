"""Exercise 6.3: ``concat_score``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.ch06.shared import own_key_only
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _concat_inputs() -> Inputs:
    yield {
        "query": torch.tensor([[[1.0]]]),
        "keys": torch.tensor([[[2.0], [0.0]]]),
        "weight": torch.tensor([[0.5, 1.0], [1.0, -1.0]]),
        "v": torch.tensor([2.0, 1.0]),
    }
    make = normal(3)
    yield {"query": make(2, 3, 4), "keys": make(2, 3, 4), "weight": make(5, 8), "v": make(5)}
    yield {"query": make(2, 3, 4), "keys": make(2, 5, 6), "weight": make(7, 10), "v": make(7)}


def _pairs(query: Tensor, keys: Tensor) -> tuple[Tensor, Tensor]:
    """Every query beside every key: both (B, T, S, ·)."""
    steps, positions = query.shape[1], keys.shape[1]
    return (
        query.unsqueeze(2).expand(-1, -1, positions, -1),
        keys.unsqueeze(1).expand(-1, steps, -1, -1),
    )


def _inside(query: Tensor, keys: Tensor, weight: Tensor) -> Tensor:
    return torch.cat(_pairs(query, keys), dim=-1) @ weight.T


def _bounded(call: Call) -> str | None:
    largest = float(call(query=50 * call.query, keys=50 * call.keys).abs().max())
    most = float(call.v.abs().sum())
    if largest <= most * 1.0001:
        return None
    return (
        f"A score is {largest:.1f}. A tanh lies between −1 and 1, so that with this v no score "
        f"can be beyond {most:.1f}. Where does the tanh stand?"
    )


CHECK = Exercise(
    "concat_score",
    reference=lambda query, keys, weight, v: torch.tanh(_inside(query, keys, weight)) @ v,
    inputs=_concat_inputs,
    rules={
        "a score depends on its own key only": own_key_only,
        "no score is larger than the sum of all |v|": _bounded,
    },
    mistakes=[
        Mistake(
            "The key comes first here: the left columns of W_a belong to the query.",
            lambda query, keys, weight, v: (
                torch.tanh(torch.cat(_pairs(query, keys)[::-1], dim=-1) @ weight.T) @ v
            ),
        ),
        Mistake(
            "Where is the tanh? Without it the query adds the same number to the scores of all "
            "keys (chapter 5).",
            lambda query, keys, weight, v: _inside(query, keys, weight) @ v,
        ),
        Mistake(
            "The tanh is outside: it bends W_a [s ; h], before v sums.",
            lambda query, keys, weight, v: torch.tanh(_inside(query, keys, weight) @ v),
        ),
        Mistake(
            "The tanh comes too early: first W_a [s ; h], then the bend.",
            lambda query, keys, weight, v: (
                torch.tanh(torch.cat(_pairs(query, keys), dim=-1)) @ weight.T @ v
            ),
        ),
        Mistake(
            "The hidden numbers are summed, but not weighted by v.",
            lambda query, keys, weight, v: torch.tanh(_inside(query, keys, weight)).sum(-1),
        ),
        Mistake(
            "Rows are keys and columns are queries here: query t belongs in row t.",
            lambda query, keys, weight, v: (torch.tanh(_inside(query, keys, weight)) @ v).transpose(
                1, 2
            ),
        ),
        Mistake(
            "These are weights: a score is what goes into the softmax.",
            lambda query, keys, weight, v: (torch.tanh(_inside(query, keys, weight)) @ v).softmax(
                -1
            ),
        ),
        Mistake(
            "This bends with a sigmoid. The formula says tanh.",
            lambda query, keys, weight, v: torch.sigmoid(_inside(query, keys, weight)) @ v,
        ),
    ],
)
