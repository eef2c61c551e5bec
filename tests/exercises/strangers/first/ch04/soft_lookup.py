"""Answers to exercise ``soft_lookup``, written from its statement alone."""

import math

import torch
from answering import right, wrong


@wrong("softmax for both kinds")
def soft_lookup(similarities, values, kind):
    return similarities.softmax(0) @ values


@wrong("the share of the total for both kinds")
def soft_lookup(similarities, values, kind):
    return (similarities / similarities.sum()) @ values


@wrong("the two kinds exchanged")
def soft_lookup(similarities, values, kind):
    if kind == "softmax":
        weights = similarities / similarities.sum()
    else:
        weights = similarities.softmax(0)
    return (weights * values).sum()


@wrong("exponentials that are not divided by their sum")
def soft_lookup(similarities, values, kind):
    weights = similarities.exp() if kind == "softmax" else similarities / similarities.sum()
    return (weights * values).sum()


@wrong("the mean of the products, not their sum")
def soft_lookup(similarities, values, kind):
    weights = similarities.softmax(0) if kind == "softmax" else similarities / similarities.sum()
    return (weights * values).mean()


@wrong("the weighted values, not added up")
def soft_lookup(similarities, values, kind):
    weights = similarities.softmax(0) if kind == "softmax" else similarities / similarities.sum()
    return weights * values


@wrong("the value of the best key alone")
def soft_lookup(similarities, values, kind):
    weights = similarities.softmax(0) if kind == "softmax" else similarities / similarities.sum()
    return values[weights.argmax()]


@wrong("the weights come from the values, the values are the similarities")
def soft_lookup(similarities, values, kind):
    weights = values.softmax(0) if kind == "softmax" else values / values.sum()
    return weights @ similarities


@wrong("exp of the ratio: normalised before the exponential, not after")
def soft_lookup(similarities, values, kind):
    shares = similarities / similarities.sum()
    if kind == "softmax":
        shares = shares.exp() / shares.exp().sum()
    return (shares * values).sum()


@wrong("divides by the length of the similarities")
def soft_lookup(similarities, values, kind):
    weights = similarities.softmax(0) if kind == "softmax" else similarities / similarities.norm()
    return weights @ values


@wrong("powers of two")
def soft_lookup(similarities, values, kind):
    weights = 2**similarities if kind == "softmax" else similarities
    return (weights / weights.sum()) @ values


@wrong("the ratio divides by the largest")
def soft_lookup(similarities, values, kind):
    weights = similarities.softmax(0) if kind == "softmax" else similarities / similarities.max()
    return (weights * values).sum()


# Relabelled: the values are right, but no gradient comes back through plain numbers.
@wrong("no gradient comes back through plain numbers")
def soft_lookup(similarities, values, kind):
    if kind == "ratio":
        amounts = [float(s) for s in similarities]
    else:
        top = float(similarities.max())
        amounts = [math.exp(float(s) - top) for s in similarities]
    return sum(a * float(v) for a, v in zip(amounts, values)) / sum(amounts)


@right
def soft_lookup(similarities, values, kind):
    weights = {
        "ratio": lambda e: e / e.sum(),
        "softmax": lambda e: torch.exp(e - e.logsumexp(0)),
    }[kind](similarities)
    return torch.einsum("s,s->", weights, values)


@right
def soft_lookup(similarities, values, kind):
    e = similarities.double()
    if kind == "softmax":
        e = torch.exp(e - e.max())
    answer = torch.zeros((), dtype=torch.double)
    for n in range(len(e)):
        answer = answer + e[n] / e.sum() * values[n]
    return answer
