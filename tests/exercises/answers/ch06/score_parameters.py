"""Answers to exercise ``score_parameters``, as learners write them."""

import numpy as np
import torch
from answering import right, wrong


@wrong("The vector v is missing")
def score_parameters(kind, query_size, key_size, hidden_size):
    if "dot" in kind:
        return 0
    if kind == "general":
        return query_size * key_size
    return hidden_size * query_size + hidden_size * key_size


@wrong("rows times columns")
def score_parameters(kind, query_size, key_size, hidden_size):
    if "dot" in kind:
        return 0
    if kind == "general":
        return query_size + key_size
    return hidden_size * (query_size + key_size + 1)


@wrong("one vector is put behind the other")
def score_parameters(kind, query_size, key_size, hidden_size):
    if "dot" in kind:
        return 0
    if kind == "general":
        return query_size * key_size
    return hidden_size * query_size * key_size + hidden_size


@wrong("a bias too many")
def score_parameters(kind, query_size, key_size, hidden_size):
    if "dot" in kind:
        return 0
    if kind == "general":
        return query_size * key_size
    layer = (query_size + key_size) * hidden_size + hidden_size
    return layer + hidden_size


@wrong("A dot product has nothing to learn, and you count 2")
def score_parameters(kind, query_size, key_size, hidden_size):
    if kind in ("dot", "scaled_dot"):
        return query_size
    if kind == "general":
        return query_size * key_size
    return hidden_size * (query_size + key_size) + hidden_size


@wrong("query and key of the same size")
def score_parameters(kind, query_size, key_size, hidden_size):
    if "dot" in kind:
        return 0
    if kind == "general":
        return query_size * key_size
    return hidden_size * 2 * query_size + hidden_size


@wrong("W_a lies between query and key")
def score_parameters(kind, query_size, key_size, hidden_size):
    if "dot" in kind:
        return 0
    if kind == "general":
        return hidden_size * (query_size + key_size)
    return hidden_size * (query_size + key_size + 1)


@wrong("They are one score, cut in two")
def score_parameters(kind, query_size, key_size, hidden_size):
    if "dot" in kind:
        return 0
    if kind == "general":
        return query_size * key_size
    vectors = 2 if kind == "additive" else 1
    return hidden_size * (query_size + key_size) + vectors * hidden_size


@wrong("It has one for each hidden number")
def score_parameters(kind, query_size, key_size, hidden_size):
    if "dot" in kind:
        return 0
    if kind == "general":
        return query_size * key_size
    return hidden_size * (query_size + key_size) + 1


@wrong("One more hidden number adds")
def score_parameters(kind, query_size, key_size, hidden_size):
    if "dot" in kind:
        return 0
    if kind == "general":
        return query_size * key_size
    return hidden_size * (query_size + key_size) + hidden_size * hidden_size


@right
def score_parameters(kind, query_size, key_size, hidden_size):
    shapes = {
        "general": [(query_size, key_size)],
        "concat": [(hidden_size, query_size + key_size), (hidden_size,)],
        "additive": [(hidden_size, query_size), (hidden_size, key_size), (hidden_size,)],
    }
    return sum(torch.empty(shape).numel() for shape in shapes.get(kind, []))


@right
def score_parameters(kind, query_size, key_size, hidden_size):
    if kind.endswith("dot"):
        return 0.0
    return np.int64(query_size * key_size if kind == "general" else
                    hidden_size * (query_size + key_size + 1))  # fmt: skip
