import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("a tanh of each part, then their sum")
def additive_score(query, keys, w, u, v):
    a = torch.tanh(query @ w.T).unsqueeze(2)
    b = torch.tanh(keys @ u.T).unsqueeze(1)
    return (a + b) @ v


@wrong("the key is taken off instead of added")
def additive_score(query, keys, w, u, v):
    return torch.tanh((query @ w.T).unsqueeze(2) - (keys @ u.T).unsqueeze(1)) @ v


@wrong("the sum of the queries is built before they meet the keys: every query has the same row")
def additive_score(query, keys, w, u, v):
    s = (query @ w.T).sum(1, keepdim=True).unsqueeze(2).expand(-1, query.shape[1], -1, -1)
    return torch.tanh(s + (keys @ u.T).unsqueeze(1)) @ v


@wrong("the softmax over the keys is taken already")
def additive_score(query, keys, w, u, v):
    return (torch.tanh((query @ w.T).unsqueeze(2) + (keys @ u.T).unsqueeze(1)) @ v).softmax(-1)


@wrong("the query is left out")
def additive_score(query, keys, w, u, v):
    one = torch.tanh(keys @ u.T) @ v
    return one.unsqueeze(1).expand(-1, query.shape[1], -1)


@wrong("a mean over the A numbers in place of the sum: divided by A")
def additive_score(query, keys, w, u, v):
    bent = torch.tanh((query @ w.T).unsqueeze(2) + (keys @ u.T).unsqueeze(1))
    return (bent * v).mean(-1)


@right
def additive_score(query, keys, w, u, v):
    asked = torch.einsum("btd,ad->bta", query, w)
    known = torch.einsum("bse,ae->bsa", keys, u)
    columns = [torch.tanh(asked + known[:, j : j + 1]) @ v for j in range(keys.shape[1])]
    return torch.stack(columns, dim=-1)


@right
def additive_score(query, keys, w, u, v):
    B, T, _ = query.shape
    S = keys.shape[1]
    pairs = torch.cat(
        [query[:, :, None].expand(B, T, S, -1), keys[:, None].expand(B, T, S, -1)], dim=-1
    )
    return torch.einsum("btsa,a->bts", F.linear(pairs, torch.cat([w, u], dim=1)).tanh(), v)
