import math

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("the weight is transposed: its rows belong to the query already")
def general_score(query, keys, weight):
    return query @ weight.T @ keys.transpose(1, 2)


@wrong("the weight is not used: plain dot products")
def general_score(query, keys, weight):
    return query @ keys.transpose(1, 2)


@wrong("divided by the root of the size of the keys")
def general_score(query, keys, weight):
    return query @ weight @ keys.transpose(1, 2) / math.sqrt(keys.shape[-1])


@wrong("a softmax at once: weights, not scores")
def general_score(query, keys, weight):
    return (query @ weight @ keys.transpose(1, 2)).softmax(-1)


@wrong("the keys of the first sentence for the whole batch")
def general_score(query, keys, weight):
    return query @ weight @ keys[0].T


@wrong("keys by queries: (B, S, T)")
def general_score(query, keys, weight):
    return keys @ weight.T @ query.transpose(1, 2)


@wrong("a tanh round the scores")
def general_score(query, keys, weight):
    return torch.tanh(query @ weight @ keys.transpose(1, 2))


@wrong("reshape instead of transpose: the numbers of the keys get mixed")
def general_score(query, keys, weight):
    B, S, He = keys.shape
    return query @ weight @ keys.reshape(B, He, S)


@wrong("a sum over the batch of the keys, through an einsum index")
def general_score(query, keys, weight):
    return torch.einsum("btd,de,cse->bts", query, weight, keys)


@right
def general_score(query, keys, weight):
    moved = F.linear(keys, weight)
    return torch.bmm(query, moved.permute(0, 2, 1))


@right
def general_score(query, keys, weight):
    rows = []
    for q, k in zip(query, keys):
        rows.append(torch.stack([torch.stack([s @ weight @ h for h in k]) for s in q]))
    return torch.stack(rows)
