"""Answers to exercise ``additive_score``, as learners write them."""

import torch
from answering import wrong


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


@wrong("By hand: W s is")
def additive_score(query, keys, w, u, v):
    inside = (query @ w.T).unsqueeze(2) + (keys @ u.T).unsqueeze(1)
    return torch.tanh(inside) @ v.abs()
