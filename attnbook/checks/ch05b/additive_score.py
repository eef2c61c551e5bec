"""Exercise 5.5: ``additive_score``."""

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.attention import score_mistakes
from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.mistakes import same
from attnbook.checks.rules import agrees, by_hand
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import fmt


def additive_score(query: Tensor, keys: Tensor, w: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """v^T tanh(W s + U h_j). query (B, T, Hd), keys (B, S, He), w (A, Hd), u (A, He), v (A,)."""
    hidden = (query @ w.T).unsqueeze(2) + (keys @ u.T).unsqueeze(1)  # (B, T, S, A)
    return torch.tanh(hidden) @ v


def _additive_inputs() -> Inputs:
    yield {
        "query": torch.tensor([[[1.0], [-1.0]]]),
        "keys": torch.tensor([[[2.0], [0.0]]]),
        "w": torch.tensor([[0.5], [1.0]]),
        "u": torch.tensor([[1.0], [-0.5]]),
        "v": torch.tensor([2.0, 1.0]),
    }
    make = normal(4)
    for batch, queries, positions, hd, he, a in (
        (2, 3, 3, 4, 4, 5),
        (2, 3, 4, 3, 3, 3),
        (2, 3, 5, 4, 6, 7),
        (3, 4, 2, 6, 5, 3),
    ):
        query, keys = make(batch, queries, hd), make(batch, positions, he)
        last = {"query": query, "keys": keys, "w": make(a, hd), "u": make(a, he), "v": make(a)}
        yield last
    yield {name: x.double().requires_grad_(name == "keys") for name, x in last.items()}


def _plus(from_query: Tensor, from_key: Tensor) -> Tensor:
    return from_query.unsqueeze(2) + from_key.unsqueeze(1)


def _query_matters(call: Call) -> str | None:
    if call.query.shape[1] < 2:
        return None
    first, second = call.result[:, 0].softmax(-1), call.result[:, 1].softmax(-1)
    if not torch.allclose(first, second, atol=1e-6):
        return None
    return (
        "Two different queries get the same weights: does each query meet every key, and what "
        "makes W s + U h nonlinear? The same number added to the scores of all keys is lost in the "
        "softmax."
    )


def _one_score(call: Call, b: int, t: int, j: int) -> str:
    from_query, from_key = call.w @ call.query[b, t], call.u @ call.keys[b, j]
    bent = torch.tanh(from_query + from_key)
    return (
        f"W s is {fmt(from_query)}, U h {fmt(from_key)}, the tanh of their sum {fmt(bent)}, "
        f"and v weighs it to {fmt((bent @ call.v).item())}"
    )


def _with(join: Any = _plus, bend: Any = torch.tanh) -> Any:
    """The score, where W s and U h are joined or bent in another way."""
    return lambda query, keys, w, u, v: bend(join(query @ w.T, keys @ u.T)) @ v


CHECK = Exercise(
    additive_score,
    inputs=_additive_inputs,
    rules={
        "two queries get two distributions": _query_matters,
        "every query meets every key of its own sentence": agrees("sentence", "query", "key"),
        "a score is v times the tanh of W s + U h": by_hand(_one_score),
    },
    mistakes={
        **score_mistakes(additive_score),
        "This is linear in query and key, so the query adds the same number to the scores of all "
        "keys, and the softmax does not see it. What makes W s + U h nonlinear?": _with(bend=same),
        "Your tanh comes last. Apply it to W s + U h, before v sums.": (
            lambda query, keys, w, u, v: _with(bend=same)(query, keys, w, u, v).tanh()
        ),
        "The matrices are applied from the wrong side: row a of W makes hidden number a, so use "
        "query @ w.T.": (lambda query, keys, w, u, v: _plus(query @ w, keys @ u).tanh() @ v),
        "You apply the tanh to query and key separately. It takes their sum; otherwise the "
        "query adds the same number to all keys.": _with(
            lambda s, h: _plus(s.tanh(), h.tanh()), bend=same
        ),
        "You multiply query and key with each other. The additive score adds them.": _with(
            lambda s, h: s.unsqueeze(2) * h.unsqueeze(1)
        ),
        "You take the mean over the hidden numbers. vᵀ takes a sum.": (
            lambda query, keys, w, u, v: additive_score(query, keys, w, u, v / len(v))
        ),
    },
)
