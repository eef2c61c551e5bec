"""Answers to exercise ``lookup_gradient``, as learners write them."""

import torch
from answering import wrong


@wrong("is the contribution, not the gradient")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return torch.zeros(values.shape)
    return torch.softmax(scores, 0)[:, None] * values


@wrong("The other weights change, too")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return 0 * values
    a = torch.softmax(scores, 0)
    return torch.diag(a * (1 - a)) @ values


@wrong("Add a millionth to any score")
def lookup_gradient(scores, values, kind):
    a = torch.softmax(scores, 0)
    if kind == "soft":
        return a[:, None] * (values - a @ values)
    grad = torch.zeros_like(values)
    grad[scores.argmax()] = values[scores.argmax()]
    return grad


@wrong("Score 0 is raised a little, to see")
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return torch.zeros_like(values)
    a = torch.softmax(scores / 2, 0)
    return 2 * a[:, None] * (values - a @ values)
