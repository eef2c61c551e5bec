"""Answers to exercise ``contribution_shares``, written from its statement alone."""

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("the weights alone: how long a value is plays no part")
def contribution_shares(weights, values):
    return weights / weights.sum(dim=-1, keepdim=True)


@wrong("lengths, not shares of them")
def contribution_shares(weights, values):
    return weights * values.norm(dim=-1).unsqueeze(1)


@wrong("shares over the queries")
def contribution_shares(weights, values):
    sizes = weights * values.norm(dim=-1).unsqueeze(1)
    return sizes / sizes.sum(dim=1, keepdim=True)


@wrong("sums of the features, signs and all, in place of lengths")
def contribution_shares(weights, values):
    sizes = weights * values.sum(dim=-1).unsqueeze(1)
    return sizes / sizes.sum(dim=-1, keepdim=True)


@wrong("squared lengths")
def contribution_shares(weights, values):
    sizes = weights * (values**2).sum(dim=-1).unsqueeze(1)
    return sizes / sizes.sum(dim=-1, keepdim=True)


@wrong("divided by the length of the context: long vectors may cancel")
def contribution_shares(weights, values):
    sizes = weights * values.norm(dim=-1).unsqueeze(1)
    return sizes / (weights @ values).norm(dim=-1, keepdim=True)


@wrong("a softmax of the lengths")
def contribution_shares(weights, values):
    return (weights * values.norm(dim=-1).unsqueeze(1)).softmax(dim=-1)


@wrong("lengths along the keys, one for each feature")
def contribution_shares(weights, values):
    sizes = weights * values.norm(dim=1)[:, : weights.shape[-1]].unsqueeze(1)
    return sizes / sizes.sum(dim=-1, keepdim=True)


@wrong("the first sentence's values for the whole batch")
def contribution_shares(weights, values):
    sizes = weights * values[0].norm(dim=-1)
    return sizes / sizes.sum(dim=-1, keepdim=True)


@wrong("one sum for the whole sentence: rows do not add up to 1")
def contribution_shares(weights, values):
    sizes = weights * values.norm(dim=-1).unsqueeze(1)
    return sizes / sizes.sum(dim=(1, 2), keepdim=True)


@wrong("absolute values added up, not the Euclidean length")
def contribution_shares(weights, values):
    sizes = weights * values.abs().sum(dim=-1).unsqueeze(1)
    return sizes / sizes.sum(dim=-1, keepdim=True)


@wrong("the share of the largest: divided by the maximum")
def contribution_shares(weights, values):
    sizes = weights * values.norm(dim=-1).unsqueeze(1)
    return sizes / sizes.amax(dim=-1, keepdim=True)


@wrong("the weight squared")
def contribution_shares(weights, values):
    sizes = weights**2 * values.norm(dim=-1).unsqueeze(1)
    return sizes / sizes.sum(dim=-1, keepdim=True)


@right
def contribution_shares(weights, values):
    parts = weights.unsqueeze(-1) * values.unsqueeze(1)  # (B, T, S, H)
    sizes = (parts**2).sum(-1) ** 0.5
    return sizes / sizes.sum(-1)[..., None]


@right
def contribution_shares(weights, values):
    B, T, S = weights.shape
    result = torch.empty(B, T, S)
    for b in range(B):
        for t in range(T):
            sizes = [(weights[b, t, j] * values[b, j]).norm().item() for j in range(S)]
            for j in range(S):
                result[b, t, j] = sizes[j] / sum(sizes)
    return result


@right
def contribution_shares(weights, values):
    lengths = torch.sqrt(torch.einsum("bsh,bsh->bs", values, values))
    return F.normalize(torch.einsum("bts,bs->bts", weights, lengths), p=1, dim=2)
