"""Answers to exercise ``additive_score``, written from its statement alone."""

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("no tanh: the query cannot matter to the softmax")
def additive_score(query, keys, w, u, v):
    return ((query @ w.T).unsqueeze(2) + (keys @ u.T).unsqueeze(1)) @ v


@wrong("two tanhs, added afterwards")
def additive_score(query, keys, w, u, v):
    return (torch.tanh(query @ w.T).unsqueeze(2) + torch.tanh(keys @ u.T).unsqueeze(1)) @ v


@wrong("v is forgotten: a plain sum")
def additive_score(query, keys, w, u, v):
    return torch.tanh((query @ w.T).unsqueeze(2) + (keys @ u.T).unsqueeze(1)).sum(-1)


@wrong("keys in rows: (B, S, T)")
def additive_score(query, keys, w, u, v):
    return torch.tanh((query @ w.T).unsqueeze(1) + (keys @ u.T).unsqueeze(2)) @ v


@wrong("a softmax over the scores")
def additive_score(query, keys, w, u, v):
    total = torch.tanh((query @ w.T).unsqueeze(2) + (keys @ u.T).unsqueeze(1))
    return (total @ v).softmax(-1)


@wrong("multiplied where it is added")
def additive_score(query, keys, w, u, v):
    return torch.tanh((query @ w.T).unsqueeze(2) * (keys @ u.T).unsqueeze(1)) @ v


@wrong("the mean over the A numbers, not the sum")
def additive_score(query, keys, w, u, v):
    total = torch.tanh((query @ w.T).unsqueeze(2) + (keys @ u.T).unsqueeze(1))
    return (total * v).mean(-1)


@wrong("all sentences look at the keys of the first")
def additive_score(query, keys, w, u, v):
    return torch.tanh((query @ w.T).unsqueeze(2) + keys[0] @ u.T) @ v


@wrong("the matrices without a transpose: fits where they are square")
def additive_score(query, keys, w, u, v):
    return torch.tanh((query @ w).unsqueeze(2) + (keys @ u).unsqueeze(1)) @ v


@wrong("sigmoid in place of tanh")
def additive_score(query, keys, w, u, v):
    return torch.sigmoid((query @ w.T).unsqueeze(2) + (keys @ u.T).unsqueeze(1)) @ v


@wrong("tanh of the score instead of the score of the tanh")
def additive_score(query, keys, w, u, v):
    return torch.tanh(((query @ w.T).unsqueeze(2) + (keys @ u.T).unsqueeze(1)) @ v)


@wrong("scaled by the root of A")
def additive_score(query, keys, w, u, v):
    total = torch.tanh((query @ w.T).unsqueeze(2) + (keys @ u.T).unsqueeze(1))
    return total @ v / len(v) ** 0.5


@right
def additive_score(query, keys, w, u, v):
    asks = torch.einsum("btd,ad->bta", query, w)[:, :, None]
    answers = torch.einsum("bse,ae->bsa", keys, u)[:, None]
    return torch.einsum("btsa,a->bts", torch.tanh(asks + answers), v)


@right
def additive_score(query, keys, w, u, v):
    columns = []
    asks = F.linear(query, w)
    for j in range(keys.shape[1]):
        key = F.linear(keys[:, j], u).unsqueeze(1)  # (B, 1, A)
        columns.append((asks + key).tanh().matmul(v))
    return torch.stack(columns, dim=-1)


@right
def additive_score(query, keys, w, u, v):
    B, T, S = query.shape[0], query.shape[1], keys.shape[1]
    pairs = torch.cat(
        [query.unsqueeze(2).expand(B, T, S, -1), keys.unsqueeze(1).expand(B, T, S, -1)], dim=-1
    )
    return torch.tanh(pairs @ torch.cat([w, u], dim=1).T) @ v
