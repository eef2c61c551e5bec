"""Answers to exercise ``scaled_score``, written from its statement alone."""

import math

import torch
from answering import right, wrong


@wrong("divided by the size, not by its root")
def scaled_score(query, keys):
    return query @ keys.transpose(1, 2) / keys.shape[-1]


@wrong("the root of the number of keys")
def scaled_score(query, keys):
    return query @ keys.transpose(1, 2) / math.sqrt(keys.shape[1])


@wrong("the root of the number of queries")
def scaled_score(query, keys):
    return query @ keys.transpose(1, 2) / query.shape[1] ** 0.5


@wrong("both factors are divided by the root: the size in all")
def scaled_score(query, keys):
    root = math.sqrt(query.shape[-1])
    return (query / root) @ (keys / root).transpose(1, 2)


@wrong("only one factor is divided by the fourth root")
def scaled_score(query, keys):
    return (query / query.shape[-1] ** 0.25) @ keys.transpose(1, 2)


@wrong("multiplied instead of divided")
def scaled_score(query, keys):
    return query @ keys.transpose(1, 2) * math.sqrt(query.shape[-1])


@wrong("divided by the spread of these scores")
def scaled_score(query, keys):
    scores = query @ keys.transpose(1, 2)
    return scores / scores.std()


@wrong("8 hard-coded, as in the paper with 64 features a head")
def scaled_score(query, keys):
    return query @ keys.transpose(1, 2) / 8


@wrong("the root is rounded to a whole number")
def scaled_score(query, keys):
    return query @ keys.transpose(1, 2) / math.isqrt(query.shape[-1])


@wrong("vectors of length one: a cosine")
def scaled_score(query, keys):
    query = query / query.norm(dim=-1, keepdim=True)
    keys = keys / keys.norm(dim=-1, keepdim=True)
    return query @ keys.transpose(1, 2)


@right
def scaled_score(query, keys):
    c = query.shape[-1] ** 0.25
    return torch.bmm(query / c, (keys / c).mT)


@right
def scaled_score(query, keys):
    B, T, H = query.shape
    scores = torch.zeros(B, T, keys.shape[1])
    for b in range(B):
        for t in range(T):
            for s in range(keys.shape[1]):
                scores[b, t, s] = torch.sum(query[b, t] * keys[b, s]) / math.sqrt(H)
    return scores
