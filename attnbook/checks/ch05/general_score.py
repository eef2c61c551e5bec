"""Exercise 5.5: ``general_score``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn.functional import normalize

from attnbook.checks.ch05.shared import by_hand
from attnbook.checks.shared import Inputs, agrees, first_for_all, normal, relatives, same
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
    query, keys, weight = make(3, 4, 5), make(3, 2, 7), make(5, 7)
    yield {"query": query, "keys": keys, "weight": weight.requires_grad_()}
    yield {"query": query.double().requires_grad_(), "keys": keys.double(),
           "weight": weight.detach().double()}  # fmt: skip


def _reference(query: Tensor, keys: Tensor, weight: Tensor) -> Tensor:
    """Luong's general score (2015, equation 8)."""
    return query @ weight @ keys.transpose(1, 2)


def _general(
    query: Tensor,
    keys: Tensor,
    weight: Tensor,
    *,
    of_query: Callable[[Tensor], Tensor] = same,
    of_keys: Callable[[Tensor], Tensor] = same,
    through: Callable[[Tensor, Tensor], Tensor] = torch.matmul,
    bend: Callable[[Tensor], Tensor] = same,
    after: Callable[[Tensor, Tensor, Tensor], Tensor] = same,
) -> Tensor:
    """The general score with one part wrong, cut to a size that fits where that part misfits."""
    moved = bend(through(of_query(query), weight))
    width = min(moved.shape[-1], keys.shape[-1])  # without W, or with Wᵀ, they may differ
    scores = moved[..., :width] @ of_keys(keys)[..., :width].transpose(1, 2)
    return after(scores, query, keys)


def _own_key_only(call: Call) -> str | None:
    touched = call.keys.detach().clone()
    touched[:, 0] += 1.0
    if call.keys.shape[1] < 2 or torch.allclose(call(keys=touched)[..., 1:], call.result[..., 1:]):
        return None
    return "When the first key changes, the scores of the other keys change as well."


def _own_query_only(call: Call) -> str | None:
    touched = call.query.detach().clone()
    touched[:, 0] += 1.0
    if torch.allclose(call(query=touched)[:, 1:], call.result[:, 1:]):
        return None
    return "When the first query changes, the scores of the other queries change as well."


def _grows(name: str) -> Callable[[Call], str | None]:
    def rule(call: Call) -> str | None:
        twice, once = (float(x.flatten()[0]) for x in
                       (call(**{name: 2 * getattr(call, name)}), call.result))  # fmt: skip
        if abs(twice - 2 * once) < 1e-4 * max(1.0, abs(once)):
            return None
        what = {"query": "query", "keys": "keys", "weight": "matrix"}[name]
        return f"With the {what} doubled the first score goes from {once:.4g} to {twice:.4g}."

    return rule


def _one_score(call: Call, b: int, t: int, s: int) -> str:
    query, key = call.query[b, t], call.keys[b, s]
    return (
        f"the query {shown(query)} times W is {shown(query @ call.weight)}, and that times the key "
        f"{shown(key)} is {shown((query @ call.weight @ key).item())}"
    )


CHECK = Exercise(
    "general_score",
    reference=general_score,
    inputs=_query_keys_weight,
    rules={
        "a score depends on its own key only": _own_key_only,
        "a score depends on its own query only": _own_query_only,
        "a query twice as long has scores twice as large": _grows("query"),
        "keys twice as long have scores twice as large": _grows("keys"),
        "twice the matrix gives scores twice as large": _grows("weight"),
        "every query meets every key of its own sentence": agrees("sentence", "query", "key"),
        "a score is the query times W times the key": by_hand(_one_score),
    },
    mistakes=[
        *(
            (
                "The keys are not transposed: (B, T, He) @ (B, He, S) wants keys.transpose(1, 2).",
                function,
            )
            for function in (
                lambda query, keys, weight: query @ weight @ keys,
                lambda query, keys, weight: torch.matmul(torch.matmul(query, weight), keys),
            )
        ),
        (
            "This is the score with Wᵀ: which side of W does the query stand on?",
            lambda query, keys, weight: query @ weight.T @ keys.transpose(1, 2),
        ),
        (
            "Rows are keys and columns are queries here: the scores of query t belong in row t.",
            lambda query, keys, weight: keys @ weight.T @ query.transpose(1, 2),
        ),
        (
            "Query t meets key t only, as in query * keys. Every query meets every key.",
            lambda query, keys, weight: _diagonal(query, keys, weight),
        ),
        *relatives(
            _general,
            through={
                "This is the dot product of query and key: the matrix has not been used.":
                    lambda query, weight: query,
                "This is the score with Wᵀ: which side of W does the query stand on?":
                    lambda query, weight: query @ weight.T,
                "The matrix is used twice, once as Wᵀ. The formula has it once.":
                    lambda query, weight: query @ weight @ weight.T,
                "The matrix is used twice, once as Wᵀ: the formula has it once.":
                    lambda query, weight: query @ weight.T @ weight,
                "The matrix is used twice. The formula has it once.":
                    lambda query, weight: query @ weight @ weight,
                "Only the diagonal of the matrix is used: the product with W is a matrix product.":
                    lambda query, weight: query[..., : min(weight.shape)] * weight.diagonal(),
            },
            bend={
                "There is a tanh around W and the query. The general score is a bare product.":
                    torch.tanh,
                "There is a ReLU around W and the query. The general score is a bare product.":
                    torch.relu,
                "The query, once it has met W, is brought to length 1. The general score is a bare "
                "product.": lambda moved: normalize(moved, dim=-1),
                "There is a softmax around W and the query. The general score is a bare product.":
                    lambda moved: moved.softmax(-1),
            },
            of_query={
                "The scores of the first query stand for every query.":
                    lambda query: query[:, :1].expand_as(query),
                "The scores of the last query stand for every query.":
                    lambda query: query[:, -1:].expand_as(query),
                "The queries of the first sentence are used for every sentence.": first_for_all,
                "The query is brought to length 1 first. The general score is a bare product.":
                    lambda query: normalize(query, dim=-1),
            },
            of_keys={
                "The keys of the first sentence are used for every sentence.": first_for_all,
                "The keys are brought to length 1. The general score is a bare product.":
                    lambda keys: normalize(keys, dim=-1),
                "The keys were cut anew by reshape or view, which mixes their numbers: to exchange "
                "two dimensions use transpose(1, 2).":
                    lambda keys: keys.reshape(len(keys), keys.shape[2], -1).transpose(1, 2),
                "The keys of all sentences are added up: each sentence has its own.":
                    lambda keys: keys.sum(0, keepdim=True).expand_as(keys),
            },
            after={
                "These are weights: a score is what goes into the softmax.":
                    lambda scores, query, keys: scores.softmax(-1),
                "These are logarithms of weights: a score is what goes into the softmax.":
                    lambda scores, query, keys: scores.log_softmax(-1),
                "A softmax over the queries was taken: a score is what goes into the softmax.":
                    lambda scores, query, keys: scores.softmax(1),
                "The general score is a bare product: there is no tanh in it.":
                    lambda scores, query, keys: scores.tanh(),
                "The general score is a bare product: there is no sigmoid in it.":
                    lambda scores, query, keys: scores.sigmoid(),
                "The general score is a bare product: there is no exponential in it.":
                    lambda scores, query, keys: scores.exp(),
                "The general score is not scaled: nothing is divided by a square root.":
                    lambda scores, query, keys: scores / keys.shape[-1] ** 0.5,
                "The general score is not scaled: nothing is divided by a root, not √Hd either.":
                    lambda scores, query, keys: scores / query.shape[-1] ** 0.5,
                "The general score is not scaled: nothing is divided by the number of features.":
                    lambda scores, query, keys: scores / keys.shape[-1],
                "Only the scores of the last query come back; all T are asked for.":
                    lambda scores, query, keys: scores[:, -1:],
                "Only the scores of the last query come back; all T are asked for, as (B, T, S).":
                    lambda scores, query, keys: scores[:, -1],
                "The sum over all features of all words is taken: every query meets every key.":
                    lambda scores, query, keys: scores.sum(-1),
            },
        ),
    ],
)  # fmt: skip


def _diagonal(query: Tensor, keys: Tensor, weight: Tensor) -> Tensor:
    size = min(query.shape[1], keys.shape[1])
    same_place = ((query @ weight)[:, :size] * keys[:, :size]).sum(-1, keepdim=True)
    scores = torch.zeros(*query.shape[:2], keys.shape[1])
    scores[:, :size] = same_place
    return scores
