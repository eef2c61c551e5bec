"""Answers to exercise ``max_cosine_weight``, written from its statement alone."""

import math

import torch
from answering import right, wrong


@wrong("the others have score 0, not −1")
def max_cosine_weight(n):
    return math.e / (math.e + n - 1)


@wrong("n other keys instead of n − 1")
def max_cosine_weight(n):
    return math.e**2 / (math.e**2 + n)


@wrong("e times 2 instead of e squared")
def max_cosine_weight(n):
    return math.e * 2 / (math.e * 2 + n - 1)


@wrong("the others have score 1, too")
def max_cosine_weight(n):
    return math.e / (math.e + (n - 1) * math.e)


@wrong("the sign of the exponent: the smallest weight")
def max_cosine_weight(n):
    return math.exp(-2) / (math.exp(-2) + n - 1)


@wrong("the share of the scores without an exponential")
def max_cosine_weight(n):
    return 1 / (1 + (n - 1) * 0.5)


@wrong("only one of the others is in the sum")
def max_cosine_weight(n):
    return math.e / (math.e + math.exp(-1))


@wrong("numerator and denominator multiplied by different powers of e")
def max_cosine_weight(n):
    return math.e / (math.e**2 + n - 1)


@right  # was wrong("a tensor, not a plain number"): without dimensions, it is the same number
def max_cosine_weight(n):
    return torch.tensor([1.0] + [-1.0] * (n - 1)).softmax(0).max()


@wrong("rounded to three places as printed")
def max_cosine_weight(n):
    return round(math.e**2 / (math.e**2 + n - 1), 3)


@wrong("orthogonal keys: the exponents of half of the others cancel")
def max_cosine_weight(n):
    others = [-1.0] * ((n - 1) // 2) + [1.0] * (n - 1 - (n - 1) // 2)
    return math.e / (math.e + sum(math.exp(score) for score in others))


@wrong("the precedence of the division: the n − 1 is added afterwards")
def max_cosine_weight(n):
    return math.e**2 / math.e**2 + n - 1


@right
def max_cosine_weight(n):
    scores = [1.0] + [-1.0] * (n - 1)
    return math.exp(scores[0]) / sum(math.exp(score) for score in scores)


@right
def max_cosine_weight(n):
    return 1 / (1 + (n - 1) / math.exp(2))


@right
def max_cosine_weight(n):
    scores = torch.full((n,), -1.0, dtype=torch.double)
    scores[0] = 1.0
    return scores.softmax(dim=0)[0].item()
