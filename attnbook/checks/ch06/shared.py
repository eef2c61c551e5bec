"""What checks of chapter 6 share."""

from __future__ import annotations

import functools
from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Mistake

Score = Callable[..., Tensor]


def dot(query: Tensor, keys: Tensor) -> Tensor:
    return query @ keys.transpose(1, 2)


def query_and_keys(seed: int) -> Inputs:
    yield {
        "query": torch.tensor([[[1.0, 2.0], [0.0, 3.0]]]),
        "keys": torch.tensor([[[3.0, 1.0], [-1.0, 0.0]]]),
    }
    yield {
        "query": torch.tensor([[[1.0, 2.0, 0.0, 2.0]]]),
        "keys": torch.tensor([[[3.0, 0.0, 5.0, 1.0], [0.0, -1.0, 0.0, 4.0]]]),
    }
    make = normal(seed)
    yield {"query": make(2, 3, 4), "keys": make(2, 3, 4)}
    yield {"query": make(2, 3, 7), "keys": make(2, 5, 7)}
    yield {"query": make(3, 4, 6), "keys": make(3, 2, 6)}


def own_key_only(call: Call) -> str | None:
    touched = call.keys.clone()
    touched[:, 0] += 1.0
    if torch.allclose(call(keys=touched)[..., 1:], call.result[..., 1:]):
        return None
    return "When the first key changes, the scores of the other keys change as well."


def own_pair_only(call: Call) -> str | None:
    rows, steps = call.query.shape[:2]
    for b in {0, rows - 1}:
        for t in range(steps):
            for s in range(call.keys.shape[1]):
                one = {"query": call.query[b : b + 1, t : t + 1]}
                alone = float(call(keys=call.keys[b : b + 1, s : s + 1], **one))
                here = float(call.result[b, t, s])
                if abs(alone - here) > 1e-4 * max(1.0, abs(alone)):
                    return (
                        f"At [{b}, {t}, {s}] stands {here:.3f}. Given alone, query {t} and key "
                        f"{s} of sentence {b} get {alone:.3f}: a score is made of its own query "
                        "and its own key."
                    )
    return None


def slips(score: Score) -> list[Mistake]:
    """What goes wrong around a score of pairs, whatever the score is."""

    def slip(sentence: str, change: Callable[[Score, Tensor, Tensor], Tensor]) -> Mistake:
        @functools.wraps(score)
        def wrong(query: Tensor, keys: Tensor, *rest: Tensor, **named: Tensor) -> Tensor:
            return change(lambda query, keys: score(query, keys, *rest, **named), query, keys)

        return (sentence, wrong)

    return [
        slip(
            "Rows are keys and columns are queries here: query t belongs in row t.",
            lambda score, query, keys: score(query, keys).transpose(1, 2),
        ),
        slip(
            "These are weights: a score is what goes into the softmax.",
            lambda score, query, keys: score(query, keys).softmax(-1),
        ),
        slip(
            "These are weights, and they sum to 1 over the queries: a score is what goes into the "
            "softmax.",
            lambda score, query, keys: score(query, keys).softmax(1),
        ),
        slip(
            "The sign is turned round: the best key gets the lowest score.",
            lambda score, query, keys: -score(query, keys),
        ),
        slip(
            "Only the first query is compared with the keys: every row shows its scores.",
            lambda score, query, keys: score(query[:, :1], keys).expand(-1, query.shape[1], -1),
        ),
        slip(
            "Only the last query is compared with the keys: every row shows its scores.",
            lambda score, query, keys: score(query[:, -1:], keys).expand(-1, query.shape[1], -1),
        ),
        slip(
            "Only the first key is compared: every column shows its scores.",
            lambda score, query, keys: score(query, keys[:, :1]).expand(-1, -1, keys.shape[1]),
        ),
        slip(
            "The mean of all queries is compared with the keys: query t has row t to itself.",
            lambda score, query, keys: score(query.mean(1, keepdim=True).expand_as(query), keys),
        ),
        slip(
            "The mean of all keys is compared with the query: key s has column s to itself.",
            lambda score, query, keys: score(query, keys.mean(1, keepdim=True).expand_as(keys)),
        ),
        slip(
            "The keys of the first sentence serve all sentences: sentence b has keys[b].",
            lambda score, query, keys: score(query, keys[:1].expand_as(keys)),
        ),
        slip(
            "The queries of the first sentence serve all sentences: sentence b has query[b].",
            lambda score, query, keys: score(query[:1].expand_as(query), keys),
        ),
    ]
