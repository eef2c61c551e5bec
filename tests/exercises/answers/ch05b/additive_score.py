"""Answers to exercise ``additive_score``, as learners write them."""

import torch
from answering import right, wrong


@wrong("linear in query and key")
def additive_score(query, keys, w, u, v):
    s, h = query @ w.T, keys @ u.T
    return (s[:, :, None] + h[:, None]) @ v


@wrong("The tanh is outside")
def additive_score(query, keys, w, u, v):
    from_query = (query @ w.T) @ v
    from_key = (keys @ u.T) @ v
    return (from_query[:, :, None] + from_key[:, None, :]).tanh()


@wrong("bent one by one")
def additive_score(query, keys, w, u, v):
    s = torch.tanh(query @ w.T).unsqueeze(2)
    h = torch.tanh(keys @ u.T).unsqueeze(1)
    return (s + h) @ v


@wrong("not weighted by v")
def additive_score(query, keys, w, u, v):
    s, h = (query @ w.T).unsqueeze(2), (keys @ u.T).unsqueeze(1)
    return torch.tanh(s + h).sum(dim=3)


@wrong("Rows are keys and columns are queries")
def additive_score(query, keys, w, u, v):
    s, h = (query @ w.T).unsqueeze(1), (keys @ u.T).unsqueeze(2)
    return torch.tanh(s + h) @ v


@wrong("This is a ReLU")
def additive_score(query, keys, w, u, v):
    s, h = (query @ w.T).unsqueeze(2), (keys @ u.T).unsqueeze(1)
    return torch.relu(s + h) @ v


@wrong("v is multiplied in before the tanh")
def additive_score(query, keys, w, u, v):
    total = (query @ w.T).unsqueeze(2) + (keys @ u.T).unsqueeze(1)
    return torch.tanh(total * v).sum(-1)


@wrong("w is applied to the keys and u to the query")
def additive_score(query, keys, w, u, v):
    return torch.tanh((query @ u.T).unsqueeze(2) + (keys @ w.T).unsqueeze(1)) @ v


@wrong("scores of the first query stand for every query")
def additive_score(query, keys, w, u, v):
    scores = torch.tanh((query[:, :1] @ w.T).unsqueeze(2) + (keys @ u.T).unsqueeze(1)) @ v
    return scores.expand(-1, query.shape[1], -1)


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
