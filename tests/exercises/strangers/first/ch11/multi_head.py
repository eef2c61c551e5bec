"""Answers to exercise ``multi_head``, written from its statement alone."""

import math

import torch
from answering import right, wrong

from attnlib.masking import masked_softmax


@wrong("divided by the root of the whole size")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = masked_softmax(scores, allowed.unsqueeze(-3))
    return (weights @ v).transpose(1, 2).flatten(-2), weights


@wrong("heads of features that stand apart: every h-th")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (-1, heads)).permute(0, 3, 1, 2) for x in (query, keys, values))
    weights = masked_softmax(q @ k.mT / math.sqrt(q.shape[-1]), allowed.unsqueeze(-3))
    return (weights @ v).transpose(1, 2).flatten(-2), weights


@wrong("view without transposing: heads cut out of positions")
def multi_head(query, keys, values, allowed, heads):
    B, T, D = query.shape
    q = query.reshape(B, heads, T, D // heads)
    k = keys.reshape(B, heads, -1, D // heads)
    v = values.reshape(B, heads, -1, D // heads)
    weights = masked_softmax(q @ k.mT / math.sqrt(D // heads), allowed.unsqueeze(-3))
    return (weights @ v).reshape(B, T, D), weights


@wrong("the mask is ignored")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return (weights @ v).transpose(1, 2).flatten(-2), weights


@wrong("the mask after the softmax: rows no longer sum to 1")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1) * allowed.unsqueeze(-3)
    return (weights @ v).transpose(1, 2).flatten(-2), weights


@wrong("the mask is not given a dimension for heads")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    weights = masked_softmax(q @ k.mT / math.sqrt(q.shape[-1]), allowed)
    return (weights @ v).transpose(1, 2).flatten(-2), weights


@wrong("the weights are averaged over the heads")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    weights = masked_softmax(q @ k.mT / math.sqrt(q.shape[-1]), allowed.unsqueeze(-3))
    return (weights @ v).transpose(1, 2).flatten(-2), weights.mean(1)


@right
def multi_head(query, keys, values, allowed, heads):
    size = query.shape[-1] // heads
    contexts, weights = [], []
    for q, k, v in zip(query.split(size, -1), keys.split(size, -1), values.split(size, -1)):
        a = masked_softmax(q @ k.transpose(1, 2) / math.sqrt(size), allowed)
        contexts.append(a @ v)
        weights.append(a)
    return torch.cat(contexts, dim=-1), torch.stack(weights, dim=1)


@right
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)) for x in (query, keys, values))
    scores = torch.einsum("bthf,bshf->bhts", q, k) * q.shape[-1] ** -0.5
    allowed = allowed.expand(query.shape[0], query.shape[1], keys.shape[1])[:, None]
    weights = masked_softmax(scores, allowed)
    return torch.einsum("bhts,bshf->bthf", weights, v).flatten(2), weights
