"""Answers to exercise ``dot_score``, written from its statement alone."""

import math

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("the sizes are not compared; torch raises its own error")
def dot_score(query, keys):
    return query @ keys.transpose(1, 2)


@wrong("an assert where a ValueError was asked for")
def dot_score(query, keys):
    assert query.shape[-1] == keys.shape[-1], f"{query.shape[-1]} != {keys.shape[-1]}"
    return query @ keys.transpose(1, 2)


@wrong("the message does not name the two numbers")
def dot_score(query, keys):
    if query.shape[-1] != keys.shape[-1]:
        raise ValueError("query and keys need the same size")
    return query @ keys.transpose(1, 2)


@wrong("compares the numbers of words, not the sizes of the vectors")
def dot_score(query, keys):
    if query.shape[1] != keys.shape[1]:
        raise ValueError(f"sizes differ: {query.shape[1]} and {keys.shape[1]}")
    return torch.bmm(query, keys.transpose(1, 2))


@wrong("keys times queries: the result is (B, S, T)")
def dot_score(query, keys):
    a, b = query.shape[-1], keys.shape[-1]
    if a != b:
        raise ValueError(f"query has size {a}, keys have size {b}")
    return keys @ query.transpose(1, 2)


@wrong("scaled by the root of the size")
def dot_score(query, keys):
    a, b = query.shape[-1], keys.shape[-1]
    if a != b:
        raise ValueError(f"query has size {a}, keys have size {b}")
    return query @ keys.transpose(1, 2) / math.sqrt(a)


@wrong("cosine instead of the dot product, as in chapter 4")
def dot_score(query, keys):
    a, b = query.shape[-1], keys.shape[-1]
    if a != b:
        raise ValueError(f"query has size {a}, keys have size {b}")
    return F.normalize(query, dim=-1) @ F.normalize(keys, dim=-1).transpose(1, 2)


@wrong("refuses only keys that are larger than the query")
def dot_score(query, keys):
    a, b = query.shape[-1], keys.shape[-1]
    if b > a:
        raise ValueError(f"keys of size {b} do not fit a query of size {a}")
    return query[..., :b] @ keys.transpose(1, 2)


@right
def dot_score(query, keys):
    if query.size(2) != keys.size(2):
        raise ValueError("query size %d differs from key size %d" % (query.size(2), keys.size(2)))
    return (query.unsqueeze(2) * keys.unsqueeze(1)).sum(-1)


@right
def dot_score(query, keys):
    hq, hk = query.shape[-1], keys.shape[-1]
    if hq != hk:
        raise ValueError(f"{tuple(query.shape)} does not fit {tuple(keys.shape)}")
    rows = []
    for q, k in zip(query, keys):
        rows.append(torch.stack([torch.stack([torch.dot(s, h) for h in k]) for s in q]))
    return torch.stack(rows)
