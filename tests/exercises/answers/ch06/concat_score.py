"""Answers to exercise ``concat_score``, as learners write them."""

import torch
from answering import wrong


@wrong("The key comes first here")
def concat_score(query, keys, weight, v):
    T, S = query.shape[1], keys.shape[1]
    s = query.unsqueeze(2).repeat(1, 1, S, 1)
    h = keys.unsqueeze(1).repeat(1, T, 1, 1)
    return torch.tanh(torch.cat([h, s], dim=3) @ weight.T) @ v


@wrong("Where is the tanh?")
def concat_score(query, keys, weight, v):
    n = query.shape[-1]
    both = (query @ weight[:, :n].T)[:, :, None] + (keys @ weight[:, n:].T)[:, None]
    return both @ v


@wrong("The tanh is outside")
def concat_score(query, keys, weight, v):
    n = query.shape[-1]
    both = (query @ weight[:, :n].T)[:, :, None] + (keys @ weight[:, n:].T)[:, None]
    return torch.tanh(both @ v)


@wrong("not weighted by v")
def concat_score(query, keys, weight, v):
    n = query.shape[-1]
    both = (query @ weight[:, :n].T)[:, :, None] + (keys @ weight[:, n:].T)[:, None]
    return torch.tanh(both).sum(dim=-1)


@wrong("Rows are keys and columns are queries")
def concat_score(query, keys, weight, v):
    n = query.shape[-1]
    both = (query @ weight[:, :n].T)[:, None] + (keys @ weight[:, n:].T)[:, :, None]
    return torch.tanh(both) @ v


@wrong("The tanh comes too early")
def concat_score(query, keys, weight, v):
    T, S = query.shape[1], keys.shape[1]
    s = query.unsqueeze(2).expand(-1, -1, S, -1)
    h = keys.unsqueeze(1).expand(-1, T, -1, -1)
    return torch.einsum("btsi,ai,a->bts", torch.cat([s, h], -1).tanh(), weight, v)


@wrong("the scores of the other keys change as well")
def concat_score(query, keys, weight, v):
    out = torch.zeros(query.shape[0], query.shape[1], keys.shape[1])
    for t in range(query.shape[1]):
        for j in range(keys.shape[1]):
            both = torch.cat([query[:, t], keys.mean(1)], dim=-1)
            out[:, t, j] = torch.tanh(both @ weight.T) @ v
    return out
