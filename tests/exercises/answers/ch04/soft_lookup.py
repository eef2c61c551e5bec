"""Answers to exercise ``soft_lookup``, as learners write them."""

import torch
from answering import right, wrong


@wrong("Both kinds are the softmax here")
def soft_lookup(similarities, values, kind):
    powers = torch.exp(similarities)
    return (powers / powers.sum() * values).sum()


@wrong("two kinds are exchanged")
def soft_lookup(similarities, values, kind):
    if kind == "softmax":
        w = similarities / similarities.sum()
    else:
        w = torch.softmax(similarities, 0)
    return torch.dot(w, values)


@wrong("the exponentials are [2.72, 20.1], their shares [0.119, 0.881]")
def soft_lookup(similarities, values, kind):
    w = similarities.softmax(0) ** 2 if kind == "softmax" else similarities
    return (w / w.sum()) @ values


@wrong("No gradient comes back")
def soft_lookup(similarities, values, kind):
    e = similarities.numpy()
    w = e if kind == "ratio" else 2.718281828459045**e
    return (w * values.numpy()).sum() / w.sum()


@right
def soft_lookup(similarities, values, kind):
    w = similarities.double() if kind == "ratio" else 2.718281828459045 ** similarities.double()
    return (w * values).sum() / w.sum()


@right
def soft_lookup(similarities, values, kind):
    w = [e if kind == "ratio" else e.double().exp() for e in similarities]
    return sum(x * v for x, v in zip(w, values)) / sum(w)
