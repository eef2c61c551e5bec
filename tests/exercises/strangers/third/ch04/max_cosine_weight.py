import math

import torch
from answering import right, wrong


@wrong("all n keys are counted at −1, the right one again among them")
def max_cosine_weight(n):
    return math.exp(1) / (math.exp(1) + n * math.exp(-1))


@wrong("2 instead of e squared: the exponential is forgotten")
def max_cosine_weight(n):
    return 2 / (2 + n - 1)


# Relabelled: brought to a number, as every result is brought to the kind of the book's.
@right
def max_cosine_weight(n):
    scores = torch.full((n,), -1.0)
    scores[0] = 1.0
    return scores.softmax(0)[0]


@wrong("whole-number division")
def max_cosine_weight(n):
    return math.exp(2) // (math.exp(2) + n - 1)


@right
def max_cosine_weight(n):
    scores = torch.full((n,), -1.0, dtype=torch.double)
    scores[0] = 1.0
    return scores.softmax(0).max().item()


@right
def max_cosine_weight(n):
    return 1 / (1 + (n - 1) * math.exp(-2.0))
