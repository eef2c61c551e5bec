"""Answers to exercise ``general_score``, written from its statement alone."""

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("the matrix is left out")
def general_score(query, keys, weight):
    size = min(query.shape[-1], keys.shape[-1])
    return query[..., :size] @ keys[..., :size].transpose(1, 2)


@wrong("the matrix transposed: fits where the sizes are equal")
def general_score(query, keys, weight):
    return query @ weight.T @ keys.transpose(1, 2)


@wrong("divided by the root of the size of the keys")
def general_score(query, keys, weight):
    return query @ weight @ keys.transpose(1, 2) / keys.shape[-1] ** 0.5


@wrong("weights, not scores: a softmax too many")
def general_score(query, keys, weight):
    return (query @ weight @ keys.transpose(1, 2)).softmax(-1)


@wrong("keys in rows, queries in columns: (B, S, T)")
def general_score(query, keys, weight):
    return keys @ weight.T @ query.transpose(1, 2)


@wrong("reshape mixes the numbers of the keys")
def general_score(query, keys, weight):
    B, S, E = keys.shape
    return query @ weight @ keys.reshape(B, E, S)


@wrong("a tanh over the query's way")
def general_score(query, keys, weight):
    return torch.tanh(query @ weight) @ keys.transpose(1, 2)


@wrong("every sentence looks at the keys of the first")
def general_score(query, keys, weight):
    return query @ weight @ keys[0].T


@wrong("the last query only")
def general_score(query, keys, weight):
    return query[:, -1:] @ weight @ keys.transpose(1, 2)


@wrong("the matrix squared up: W Wᵀ")
def general_score(query, keys, weight):
    size = min(query.shape[-1], keys.shape[-1])
    return (query @ weight @ weight.T)[..., :size] @ keys[..., :size].transpose(1, 2)


@wrong("cosines: query and key are normalised")
def general_score(query, keys, weight):
    return F.normalize(query @ weight, dim=-1) @ F.normalize(keys, dim=-1).transpose(1, 2)


@wrong("query t meets key t only, repeated")
def general_score(query, keys, weight):
    size = min(query.shape[1], keys.shape[1])
    same = ((query @ weight)[:, :size] * keys[:, :size]).sum(-1, keepdim=True)
    scores = torch.zeros(query.shape[0], query.shape[1], keys.shape[1])
    scores[:, :size] = same
    return scores


@right
def general_score(query, keys, weight):
    return torch.einsum("btd,de,bse->bts", query, weight, keys)


@right
def general_score(query, keys, weight):
    moved = F.linear(keys, weight)  # W_a h_j, (B, S, Hd)
    return torch.bmm(query, moved.permute(0, 2, 1))


@right
def general_score(query, keys, weight):
    B, T, S = query.shape[0], query.shape[1], keys.shape[1]
    scores = [
        [[query[b, t] @ weight @ keys[b, j] for j in range(S)] for t in range(T)] for b in range(B)
    ]
    return torch.stack([torch.stack([torch.stack(row) for row in table]) for table in scores])
