"""Answers to exercise ``score_parameters``, written from its statement alone."""

import math

import torch
from answering import right, wrong


@wrong("a dot score is thought to learn a vector")
def score_parameters(kind, query_size, key_size, hidden_size):
    if kind in ("dot", "scaled_dot"):
        return query_size
    if kind == "general":
        return query_size * key_size
    return hidden_size * (query_size + key_size) + hidden_size


@wrong("the scale is counted as learnt")
def score_parameters(kind, query_size, key_size, hidden_size):
    if kind == "dot":
        return 0
    if kind == "scaled_dot":
        return 1
    if kind == "general":
        return query_size * key_size
    return hidden_size * (query_size + key_size + 1)


@wrong("v is not counted")
def score_parameters(kind, query_size, key_size, hidden_size):
    sizes = {
        "dot": 0,
        "scaled_dot": 0,
        "general": query_size * key_size,
        "concat": hidden_size * (query_size + key_size),
        "additive": hidden_size * (query_size + key_size),
    }
    return sizes[kind]


@wrong("the query's size is used for the key, too")
def score_parameters(kind, query_size, key_size, hidden_size):
    if kind == "general":
        return query_size**2
    if kind in ("concat", "additive"):
        return 2 * hidden_size * query_size + hidden_size
    return 0


@wrong("additive has two v, one for each matrix")
def score_parameters(kind, query_size, key_size, hidden_size):
    if kind == "general":
        return query_size * key_size
    if kind == "concat":
        return hidden_size * (query_size + key_size) + hidden_size
    if kind == "additive":
        return hidden_size * query_size + hidden_size * key_size + 2 * hidden_size
    return 0


@wrong("general goes through the hidden size")
def score_parameters(kind, query_size, key_size, hidden_size):
    if kind.endswith("dot"):
        return 0
    if kind == "general":
        return hidden_size * (query_size + key_size)
    return hidden_size * (query_size + key_size) + hidden_size


@wrong("v is counted as one number")
def score_parameters(kind, query_size, key_size, hidden_size):
    if kind.endswith("dot"):
        return 0
    if kind == "general":
        return query_size * key_size
    return hidden_size * (query_size + key_size) + 1


@wrong("a bias for each hidden unit")
def score_parameters(kind, query_size, key_size, hidden_size):
    if kind.endswith("dot"):
        return 0
    if kind == "general":
        return query_size * key_size + key_size
    return hidden_size * (query_size + key_size) + 2 * hidden_size


@wrong("an unfinished chain of ifs: scaled_dot gives None")
def score_parameters(kind, query_size, key_size, hidden_size):
    if kind == "dot":
        return 0
    elif kind == "general":
        return query_size * key_size
    elif kind == "concat" or kind == "additive":
        return hidden_size * (query_size + key_size + 1)


@right
def score_parameters(kind, query_size, key_size, hidden_size):
    shapes = {
        "dot": [],
        "scaled_dot": [],
        "general": [(query_size, key_size)],
        "concat": [(hidden_size, query_size + key_size), (hidden_size,)],
        "additive": [(hidden_size, query_size), (hidden_size, key_size), (hidden_size,)],
    }
    return sum(math.prod(shape) for shape in shapes[kind])


@right
def score_parameters(kind, query_size, key_size, hidden_size):
    learnt = []
    if kind == "general":
        learnt.append(torch.empty(query_size, key_size))
    elif kind in ("concat", "additive"):
        learnt.append(torch.nn.Linear(query_size, hidden_size, bias=False).weight)
        learnt.append(torch.nn.Linear(key_size, hidden_size, bias=False).weight)
        learnt.append(torch.nn.Linear(hidden_size, 1, bias=False).weight)
    return sum(p.numel() for p in learnt)
