"""Answers to exercise ``scaled_score``, as learners write them."""

import math

import torch
from answering import wrong


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


@wrong("the scores of the other keys change as well")
def scaled_score(query, keys):
    scores = query @ keys.mT
    return scores / scores.std(dim=-1, keepdim=True)


@wrong("It should be about 1")
def scaled_score(query, keys):
    return query @ keys.mT / 2
