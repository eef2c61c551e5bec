"""Answers to exercise ``multi_head``, written from its statement alone."""

import torch
from answering import right, wrong

from attnlib.masking import masked_softmax


@wrong("divided by the root of D, not of the slice's size")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-1, -2) / query.shape[-1] ** 0.5
    weights = masked_softmax(scores, allowed.unsqueeze(-3))
    return (weights @ v).transpose(1, 2).flatten(-2), weights


@wrong("view straight to (B, heads, T, D / heads): cuts positions, not features")
def multi_head(query, keys, values, allowed, heads):
    B, T, D = query.shape
    S = keys.shape[1]
    q = query.reshape(B, heads, T, D // heads)
    k = keys.reshape(B, heads, S, D // heads)
    v = values.reshape(B, heads, S, D // heads)
    scores = q @ k.transpose(-1, -2) / (D // heads) ** 0.5
    weights = masked_softmax(scores, allowed.unsqueeze(-3))
    return (weights @ v).transpose(1, 2).reshape(B, T, D), weights


@wrong("the mask is not used")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    weights = torch.softmax(q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5, dim=-1)
    return (weights @ v).transpose(1, 2).flatten(-2), weights


@wrong("on the way back the transpose is forgotten: reshape mixes heads and positions")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    weights = masked_softmax(scores, allowed.unsqueeze(-3))
    return (weights @ v).reshape(query.shape), weights


@wrong("every h-th feature belongs to a head, not neighbours")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (-1, heads)).permute(0, 3, 1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    weights = masked_softmax(scores, allowed.unsqueeze(-3))
    return (weights @ v).permute(0, 2, 3, 1).flatten(-2), weights


@wrong("the scores are not divided at all")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    weights = masked_softmax(q @ k.transpose(-1, -2), allowed.unsqueeze(-3))
    return (weights @ v).transpose(1, 2).flatten(-2), weights


@wrong("the weights are averaged over the heads")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    weights = masked_softmax(scores, allowed.unsqueeze(-3))
    return (weights @ v).transpose(1, 2).flatten(-2), weights.mean(1)


@wrong("the mask is inverted")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    weights = torch.softmax(scores.masked_fill(allowed.unsqueeze(-3), -1e9), dim=-1)
    return (weights @ v).transpose(1, 2).flatten(-2), weights


@wrong("the features are interleaved on the way back: flattened as (slice, head)")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    weights = masked_softmax(scores, allowed.unsqueeze(-3))
    return (weights @ v).permute(0, 2, 3, 1).flatten(-2), weights


@right
def multi_head(query, keys, values, allowed, heads):
    size = query.shape[-1] // heads
    contexts, weights = [], []
    for i in range(heads):
        part = slice(i * size, (i + 1) * size)
        scores = query[..., part] @ keys[..., part].transpose(1, 2) / size**0.5
        scores = torch.where(allowed, scores, torch.tensor(-1e30))
        w = scores.softmax(-1)
        weights.append(w)
        contexts.append(w @ values[..., part])
    return torch.cat(contexts, dim=-1), torch.stack(weights, dim=1)


@right
def multi_head(query, keys, values, allowed, heads):
    B, T, D = query.shape
    size = D // heads
    q = query.reshape(B, T, heads, size)
    k = keys.reshape(B, -1, heads, size)
    v = values.reshape(B, -1, heads, size)
    scores = torch.einsum("bthd,bshd->bhts", q, k) * size**-0.5
    weights = masked_softmax(scores, allowed[..., None, :, :])
    contexts = torch.einsum("bhts,bshd->bthd", weights, v).reshape(B, T, D)
    return [contexts, weights]
