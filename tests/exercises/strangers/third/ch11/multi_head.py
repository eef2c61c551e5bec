import math

import torch
from answering import right, wrong

from attnlib.masking import masked_softmax


@wrong("divided by the root of D, not of the slice's size")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = masked_softmax(scores, allowed.unsqueeze(-3))
    return (weights @ v).transpose(1, 2).flatten(2), weights


@wrong("not divided by any root")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-2, -1)
    weights = masked_softmax(scores, allowed.unsqueeze(-3))
    return (weights @ v).transpose(1, 2).flatten(2), weights


@wrong("heads and positions do not change places again: the contexts are dealt out wrongly")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = masked_softmax(scores, allowed.unsqueeze(-3))
    return (weights @ v).reshape(query.shape), weights


@wrong("cut by a view to (B, heads, T, d): the slices mix positions")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.reshape(len(x), heads, x.shape[1], -1) for x in (query, keys, values))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = masked_softmax(scores, allowed.unsqueeze(-3))
    return (weights @ v).transpose(1, 2).flatten(2), weights


@wrong("every heads-th feature in place of neighboring ones")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (-1, heads)).permute(0, 3, 1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = masked_softmax(scores, allowed.unsqueeze(-3))
    return (weights @ v).transpose(1, 2).flatten(2), weights


@wrong("the mask is not used")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1)
    return (weights @ v).transpose(1, 2).flatten(2), weights


@wrong("the mask the wrong way round")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = masked_softmax(scores, ~allowed.unsqueeze(-3))
    return (weights @ v).transpose(1, 2).flatten(2), weights


@wrong("the mean of the heads' weights is returned: (B, T, S)")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = masked_softmax(scores, allowed.unsqueeze(-3))
    return (weights @ v).transpose(1, 2).flatten(2), weights.mean(1)


@wrong("the heads' contexts are averaged")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = masked_softmax(scores, allowed.unsqueeze(-3))
    return (weights @ v).mean(1).repeat(1, 1, heads), weights


@wrong("softmax over the heads")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~allowed.unsqueeze(-3), -1e9).softmax(1)
    return (weights @ v).transpose(1, 2).flatten(2), weights


@wrong("one head of the whole width")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (1, -1)).transpose(1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = masked_softmax(scores, allowed.unsqueeze(-3))
    return (weights @ v).transpose(1, 2).flatten(2), weights.expand(-1, heads, -1, -1)


@wrong("the keys are summed in place of the values")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = masked_softmax(scores, allowed.unsqueeze(-3))
    return (weights @ k).transpose(1, 2).flatten(2), weights


@wrong("the contexts are put together in the reverse order of the heads")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = masked_softmax(scores, allowed.unsqueeze(-3))
    return (weights @ v).flip(1).transpose(1, 2).flatten(2), weights


@wrong("weights first, then contexts")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = masked_softmax(scores, allowed.unsqueeze(-3))
    return weights, (weights @ v).transpose(1, 2).flatten(2)


@wrong("the masked weights are set to 0 after the softmax, and do not sum to 1")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1) * allowed.unsqueeze(-3)
    return (weights @ v).transpose(1, 2).flatten(2), weights


@wrong("divided by the slice's size, without the root")
def multi_head(query, keys, values, allowed, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, keys, values))
    scores = q @ k.transpose(-2, -1) / q.shape[-1]
    weights = masked_softmax(scores, allowed.unsqueeze(-3))
    return (weights @ v).transpose(1, 2).flatten(2), weights


@right
def multi_head(query, keys, values, allowed, heads):
    contexts, tables = [], []
    slices = zip(query.chunk(heads, -1), keys.chunk(heads, -1), values.chunk(heads, -1))
    for q, k, v in slices:
        scores = torch.einsum("btd,bsd->bts", q, k) * q.shape[-1] ** -0.5
        weights = masked_softmax(scores, allowed.expand(scores.shape))
        tables.append(weights)
        contexts.append(weights @ v)
    return torch.cat(contexts, dim=-1), torch.stack(tables, dim=1)


@right
def multi_head(query, keys, values, allowed, heads):
    B, T, D = query.shape
    S, d = keys.shape[1], D // heads
    q = query.view(B, T, heads, d)
    k, v = keys.view(B, S, heads, d), values.view(B, S, heads, d)
    scores = torch.einsum("bthd,bshd->bhts", q, k) / d**0.5
    may = allowed.expand(B, T, S)[:, None]
    low = torch.finfo(scores.dtype).min
    weights = torch.where(may, scores, low).softmax(-1) * may
    return torch.einsum("bhts,bshd->bthd", weights, v).reshape(B, T, D), weights
