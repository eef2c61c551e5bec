"""Answers to exercise ``additive_score``, as learners write them."""

import torch
from answering import right, wrong


@wrong("linear in query and key")
def additive_score(query, keys, w, u, v):
    s, h = query @ w.T, keys @ u.T
    return (s[:, :, None] + h[:, None]) @ v


@wrong("Rows are keys and columns are queries")
def additive_score(query, keys, w, u, v):
    s, h = (query @ w.T).unsqueeze(1), (keys @ u.T).unsqueeze(2)
    return torch.tanh(s + h) @ v


@wrong("the tanh of their sum [0.9866, 0], and v weighs it")
def additive_score(query, keys, w, u, v):
    total = (query @ w.T).unsqueeze(2) + (keys @ u.T).unsqueeze(1)
    return torch.tanh(total * v).sum(-1)


@right
def additive_score(query, keys, w, u, v):
    hidden = (query.double() @ w.T.double())[:, :, None] + (keys.double() @ u.T.double())[:, None]
    return (hidden.tanh() * v).sum(-1)


@right
def additive_score(query, keys, w, u, v):
    asks = torch.nn.functional.linear(query, w)
    answers = torch.nn.functional.linear(keys, u)
    rows = [torch.tanh(answers + ask.unsqueeze(1)) @ v for ask in asks.unbind(1)]
    return torch.stack(rows, dim=1)


@wrong("By hand: W s is")
def additive_score(query, keys, w, u, v):
    inside = (query @ w.T).unsqueeze(2) + (keys @ u.T).unsqueeze(1)
    return torch.tanh(inside) @ v.abs()
