"""Answers to exercise ``dot_score``, as learners write them."""

import torch
from answering import right, wrong


@wrong("the reader has to guess")
def dot_score(query, keys):
    return torch.bmm(query, keys.mT)


@wrong("It has an answer for a query of 2 numbers and keys of 4")
def dot_score(query, keys):
    n = min(query.shape[-1], keys.shape[-1])
    return query[..., :n] @ keys[..., :n].transpose(-1, -2)


@wrong("Name both sizes")
def dot_score(query, keys):
    if query.shape[-1] != keys.shape[-1]:
        raise ValueError("wrong sizes")
    return query @ keys.transpose(1, 2)


@right
def dot_score(query, keys):
    hq, hk = query.shape[-1], keys.shape[-1]
    if hq != hk:
        raise ValueError(f"{tuple(query.shape)} does not fit {tuple(keys.shape)}")
    rows = [torch.stack([k @ s for s in q]) for q, k in zip(query, keys)]
    return torch.stack(rows)


@right
def dot_score(query, keys):
    if query.size(2) != keys.size(2):
        raise ValueError("query size %d differs from key size %d" % (query.size(2), keys.size(2)))
    return torch.einsum("bth,bsh->bts", query.double(), keys.double())


@wrong("Which dimension must be equal")
def dot_score(query, keys):
    if query.shape[1] != keys.shape[1]:
        raise ValueError(f"{query.shape[1]} and {keys.shape[1]} do not fit")
    return query @ keys.transpose(1, 2)
