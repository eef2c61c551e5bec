"""Answers to exercise ``lookup_gradient``, as learners write them."""

import torch
from answering import right, wrong


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


@right
def lookup_gradient(scores, values, kind):
    def answer(e):
        return e.softmax(0) @ values.double() if kind == "soft" else values.double()[e.argmax()]

    rows = []
    for j in range(len(scores)):
        step = torch.zeros(len(scores), dtype=torch.double)
        step[j] = 1e-6
        e = scores.double() if kind == "soft" else scores.double() - 1e-3 * torch.arange(len(step))
        rows.append((answer(e + step) - answer(e - step)) / 2e-6)
    return torch.stack(rows)


@right
def lookup_gradient(scores, values, kind):
    if kind == "hard":
        return torch.zeros(values.shape, dtype=torch.double)
    a = scores.softmax(0).numpy()
    c = (a[:, None] * values.numpy()).sum(0)
    return a[:, None] * (values.numpy() - c)
