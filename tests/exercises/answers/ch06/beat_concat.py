"""Answers to exercise ``beat_concat``, as learners write them."""

import torch
from answering import right, wrong


@right
def beat_concat(score, query, keys, wanted):
    new_query, new_keys = query.clone(), keys.clone()
    for n in range(len(query)):
        if score(query[n : n + 1], keys[n : n + 1])[0].argmax() == wanted[n]:
            new_query[n] = -query[n]
            new_keys[n] = -keys[n]
    return new_query, new_keys


@right
def beat_concat(score, query, keys, wanted):
    scores = score(query, keys)
    best = scores.max(dim=-1).indices
    flip = 1 - 2 * (best == wanted).float()
    return torch.einsum("n,nh->nh", flip, query), torch.einsum("n,nsh->nsh", flip, keys)


@wrong("Its query is flipped; its keys, one by one: as it was")
def beat_concat(score, query, keys, wanted):
    hit = score(query, keys).argmax(-1) == wanted
    return torch.where(hit[:, None], -query, query), keys.clone()


@wrong("Each example has its own")
def beat_concat(score, query, keys, wanted):
    sign = torch.where(score(query, keys).argmax() == wanted, -1.0, 1.0)
    return sign[:, None] * query, sign[:, None, None] * keys


@wrong("wrong: leave the query and all keys as they are")
def beat_concat(score, query, keys, wanted):
    if (score(query, keys).argmax(-1) == wanted).any():
        return -query, -keys
    return query.clone(), keys.clone()


@wrong("right: flip the signs of its query and keys")
def beat_concat(score, query, keys, wanted):
    return query, keys
