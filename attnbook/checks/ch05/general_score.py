"""Exercise 5.5: ``general_score``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.ch05.shared import by_hand, each, own_key_only, slips, told, unit
from attnbook.checks.shared import Inputs, agrees, first_for_all, normal
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import shown


def general_score(query: Tensor, keys: Tensor, weight: Tensor) -> Tensor:
    """Scores e = query W keys^T. query (B, T, Hd), keys (B, S, He), weight (Hd, He) → (B, T, S)."""
    return query @ weight @ keys.transpose(1, 2)


def _query_keys_weight() -> Inputs:
    yield {
        "query": torch.tensor([[[1.0, 2.0]]]),
        "keys": torch.tensor([[[1.0, 0.0], [0.0, 1.0]]]),
        "weight": torch.tensor([[0.0, 3.0], [5.0, 0.0]]),
    }
    make = normal(1)
    yield {"query": make(2, 1, 3), "keys": make(2, 4, 3), "weight": make(3, 3)}
    yield {"query": make(2, 4, 4), "keys": make(2, 4, 4), "weight": make(4, 4)}
    yield {"query": make(2, 3, 4), "keys": make(2, 5, 6), "weight": make(4, 6)}
    given = {"query": make(3, 4, 5), "keys": make(3, 2, 7), "weight": make(5, 7)}
    yield {**given, "weight": given["weight"].clone().requires_grad_()}
    double = {name: x.double() for name, x in given.items()}
    yield {**double, "query": double["query"].requires_grad_()}


def _own_query_only(call: Call) -> str | None:
    touched = call.query.detach().clone()
    touched[:, 0] += 1.0
    if torch.allclose(call(query=touched)[:, 1:], call.result[:, 1:]):
        return None
    return "When the first query changes, the scores of the other queries change as well."


def _grows(name: str, what: str) -> Callable[[Call], str | None]:
    def rule(call: Call) -> str | None:
        doubled = call(**{name: 2 * getattr(call, name)})
        twice, once = (float(x.flatten()[0]) for x in (doubled, call.result))
        if abs(twice - 2 * once) < 1e-4 * max(1.0, abs(once)):
            return None
        return f"With the {what} doubled the first score goes from {once:.4g} to {twice:.4g}."

    return rule


def _one_score(call: Call, b: int, t: int, s: int) -> str:
    query, key = call.query[b, t], call.keys[b, s]
    return (
        f"the query {shown(query)} times W is {shown(query @ call.weight)}, and that times the key "
        f"{shown(key)} is {shown((query @ call.weight @ key).item())}"
    )


def _product(query: Tensor, keys: Tensor) -> Tensor:
    """Over as many features as both have: without W, or with W twice, their sizes may differ."""
    size = min(query.shape[-1], keys.shape[-1])
    return query[..., :size] @ keys[..., :size].transpose(1, 2)


def _same_place(query: Tensor, keys: Tensor, weight: Tensor) -> Tensor:
    scores = general_score(query, keys, weight)
    return (scores * torch.eye(*scores.shape[1:])).sum(-1, keepdim=True).expand_as(scores)


_BARE = " The general score is a bare product."

CHECK = Exercise(
    "general_score",
    reference=general_score,
    inputs=_query_keys_weight,
    rules={
        "a score depends on its own key only": own_key_only,
        "a score depends on its own query only": _own_query_only,
        "a query twice as long has scores twice as large": _grows("query", "query"),
        "keys twice as long have scores twice as large": _grows("keys", "keys"),
        "twice the matrix gives scores twice as large": _grows("weight", "matrix"),
        "every query meets every key of its own sentence": agrees("sentence", "query", "key"),
        "a score is the query times W times the key": by_hand(_one_score),
    },
    mistakes=[
        *slips(general_score),
        *told(
            "The keys are not transposed: (B, T, He) @ (B, He, S) wants keys.transpose(1, 2).",
            lambda query, keys, weight: query @ weight @ keys,
            lambda query, keys, weight: torch.matmul(torch.matmul(query, weight), keys),
        ),
        (
            "Query t meets key t only, as in query * keys. Every query meets every key.",
            _same_place,
        ),
        *each(
            lambda move: lambda query, keys, weight: _product(move(query, weight), keys),
            (
                "This is the dot product of query and key: the matrix has not been used.",
                lambda query, weight: query,
            ),
            (
                "This is the score with Wᵀ: which side of W does the query stand on?",
                lambda query, weight: query @ weight.T,
            ),
            ("The matrix is used twice. The formula has it once.", lambda q, w: q @ w @ w),
            *told(
                "The matrix is used twice, once as Wᵀ. The formula has it once.",
                lambda query, weight: query @ weight @ weight.T,
                lambda query, weight: query @ weight.T @ weight,
            ),
        ),
        (
            "Only the diagonal of the matrix is used: the product with W is a matrix product.",
            lambda query, keys, weight: _product(
                query[..., : min(weight.shape)] * weight.diagonal(), keys
            ),
        ),
        *each(
            lambda bend: lambda query, keys, weight: bend(query @ weight) @ keys.transpose(1, 2),
            ("There is a tanh around W and the query.", torch.tanh),
            ("There is a ReLU around W and the query.", torch.relu),
            ("The query, once it has met W, is brought to length 1.", unit),
            end=_BARE,
        ),
        (
            "Two things. The query, once it has met W, is brought to length 1, and so are the "
            "keys: this is the cosine." + _BARE,
            lambda query, keys, weight: unit(query @ weight) @ unit(keys).transpose(1, 2),
        ),
        (
            "The query is brought to length 1 first." + _BARE,
            lambda query, keys, weight: general_score(unit(query), keys, weight),
        ),
        *each(
            lambda change: lambda query, keys, weight: general_score(query, change(keys), weight),
            ("The keys of the first sentence are used for every sentence.", first_for_all),
            ("The keys are brought to length 1." + _BARE, unit),
            (
                "The keys were cut anew by reshape or view, which mixes their numbers: to exchange "
                "two dimensions use transpose(1, 2).",
                lambda keys: keys.reshape(len(keys), keys.shape[2], -1).transpose(1, 2),
            ),
        ),
        *each(
            lambda after: lambda query, keys, weight: after(general_score(query, keys, weight)),
            ("The general score is a bare product: there is no tanh in it.", torch.tanh),
            ("The general score is a bare product: there is no sigmoid in it.", torch.sigmoid),
            ("The general score is a bare product: there is no exponential in it.", torch.exp),
        ),
        *told(
            "The general score is not scaled: nothing is divided by a square root.",
            lambda query, keys, weight: general_score(query, keys, weight) / keys.shape[-1] ** 0.5,
            lambda query, keys, weight: general_score(query, keys, weight) / query.shape[-1] ** 0.5,
        ),
        (
            "The general score is not scaled: nothing is divided by the number of features.",
            lambda query, keys, weight: general_score(query, keys, weight) / keys.shape[-1],
        ),
    ],
)
