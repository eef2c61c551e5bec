"""Answers to exercise ``max_cosine_weight``, written from its statement alone."""

import math

import torch
from answering import right, wrong


@wrong("forgets the right key in the denominator: an odds, not a share")
def max_cosine_weight(n):
    return math.e / ((n - 1) * math.exp(-1) + 1e-9)


@wrong("the others all have cosine 1 as well: an even share")
def max_cosine_weight(n):
    return 1 / n


@wrong("rounded to two places")
def max_cosine_weight(n):
    return round(math.e**2 / (math.e**2 + n - 1), 2)


@right
def max_cosine_weight(n):
    scores = torch.full((n,), -1.0, dtype=torch.float64)
    scores[0] = 1
    return scores.softmax(0).max().item()


@right
def max_cosine_weight(n):
    return 1 / (1 + (n - 1) * math.exp(-2))
