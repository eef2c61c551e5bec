"""Answers to exercise ``scaled_score``, as learners write them."""

import math

import torch
from answering import right, wrong


@wrong("Nothing has been divided")
def scaled_score(query, keys):
    return torch.einsum("bth,bsh->bts", query, keys)


@wrong("a variance is a square")
def scaled_score(query, keys):
    return torch.einsum("bth,bsh->bts", query, keys) / keys.size(2)


@wrong("root of the number of keys")
def scaled_score(query, keys):
    return query @ keys.mT / math.sqrt(keys.shape[1])


@wrong("They are multiplied by the root")
def scaled_score(query, keys):
    return query @ keys.mT * math.sqrt(keys.shape[2])


@wrong("that is the cosine")
def scaled_score(query, keys):
    lengths = query.norm(dim=-1)[:, :, None] * keys.norm(dim=-1)[:, None, :]
    return query @ keys.mT / lengths


@wrong("divided by their own standard deviation")
def scaled_score(query, keys):
    scores = query @ keys.mT
    return scores / scores.std(dim=-1, keepdim=True)


@wrong("They are divided by 2, whatever the size")
def scaled_score(query, keys):
    return query @ keys.mT / 2


@wrong("√H is exact")
def scaled_score(query, keys):
    return query @ keys.mT / math.isqrt(query.shape[-1])


@wrong("root of the number of queries")
def scaled_score(query, keys):
    return query @ keys.mT / query.shape[1] ** 0.5


@wrong("fourth root of the size")
def scaled_score(query, keys):
    return (query / query.shape[-1] ** 0.25) @ keys.mT


@wrong("It should be about 1")
def scaled_score(query, keys):
    return query @ keys.mT / 5


@right
def scaled_score(query, keys):
    c = query.shape[-1] ** 0.25
    return torch.bmm(query.double() / c, (keys.double() / c).mT)


@right
def scaled_score(query, keys):
    B, T, H = query.shape
    scores = torch.zeros(B, T, keys.shape[1])
    for b in range(B):
        for t in range(T):
            for s in range(keys.shape[1]):
                scores[b, t, s] = torch.sum(query[b, t] * keys[b, s]) / math.sqrt(H)
    return scores
