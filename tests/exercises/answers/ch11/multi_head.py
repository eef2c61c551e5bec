"""Answers to exercise ``multi_head``, as learners write them."""

import math

import torch
from answering import wrong

from attnlib.masking import masked_softmax


@wrong("The scores are 2 times what they should be")
def multi_head(query, keys, values, allowed, heads):
    outs, ws = [], []
    for q, k, v in zip(query.chunk(heads, -1), keys.chunk(heads, -1), values.chunk(heads, -1)):
        w = (q @ k.transpose(1, 2)).masked_fill(~allowed, float("-inf")).softmax(-1)
        outs.append(w @ v)
        ws.append(w)
    return torch.cat(outs, -1), torch.stack(ws, 1)


@wrong("may not be attended has weight")
def multi_head(query, keys, values, allowed, heads):
    def cut(x):
        return x.reshape(x.shape[0], x.shape[1], heads, -1).transpose(1, 2)

    q, k, v = cut(query), cut(keys), cut(values)
    w = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(-1)
    return (w @ v).transpose(1, 2).reshape(query.shape), w


@wrong("The mask is the wrong way round")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    weights = masked_softmax(q @ k.mT / math.sqrt(q.shape[-1]), ~allowed.unsqueeze(-3))
    return (weights @ v).transpose(1, 2).flatten(-2), weights


@wrong("merged without transposing back")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    weights = masked_softmax(q @ k.mT / math.sqrt(q.shape[-1]), allowed.unsqueeze(-3))
    return (weights @ v).reshape(query.shape), weights
