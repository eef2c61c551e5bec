"""Answers to exercise ``soft_lookup``, as learners write them."""

import torch
from answering import wrong


@wrong("Both kinds are the ratio here")
def soft_lookup(similarities, values, kind):
    weights = similarities / torch.sum(similarities)
    return torch.sum(weights * values)


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


@wrong("nothing is divided")
def soft_lookup(similarities, values, kind):
    answer = torch.tensor(0.0)
    for s, v in zip(similarities, values):
        answer = answer + s * v
    return answer


@wrong("exponentials are not divided by their sum")
def soft_lookup(similarities, values, kind):
    w = torch.exp(similarities)
    if kind == "ratio":
        w = similarities / similarities.sum()
    return (w * values).sum()


@wrong("a hard lookup")
def soft_lookup(similarities, values, kind):
    return values[torch.argmax(similarities)]


@wrong("To what do the weights sum?")
def soft_lookup(similarities, values, kind):
    w = similarities if kind == "ratio" else torch.exp(similarities)
    return (w / len(w) * values).sum()


@wrong("and it should not")
def soft_lookup(similarities, values, kind):
    w = similarities.abs() if kind == "ratio" else similarities.square()
    return (w / w.sum() * values).sum()
