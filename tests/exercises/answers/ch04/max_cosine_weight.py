"""Answers to exercise ``max_cosine_weight``, as learners write them."""

import math

import torch
from answering import right, wrong


@wrong("at right angles")
def max_cosine_weight(n):
    return math.exp(1) / (math.exp(1) + (n - 1) * math.exp(0))


@wrong("how many are left?")
def max_cosine_weight(n):
    return math.exp(2) / (math.exp(2) + n)


@wrong("This is the even share")
def max_cosine_weight(n):
    return torch.ones(n).softmax(0)[0].item()


@wrong("would need scores that differ by infinity")
def max_cosine_weight(n):
    return math.exp(1) / math.exp(1)


@wrong("too large by a factor of 2")
def max_cosine_weight(n):
    return 1 / (1 + (n - 1) * math.exp(-4))


@wrong("One key too many is counted")
def max_cosine_weight(n):
    return math.exp(2) / (math.exp(2) + n + 1)


@wrong("The sign of the exponent is turned round")
def max_cosine_weight(n):
    return math.exp(-1) / (math.exp(-1) + (n - 1) * math.exp(1))


@wrong("This is 2 · e")
def max_cosine_weight(n):
    return 2 * math.e / (2 * math.e + n - 1)


@wrong("Only one of the others is in the sum")
def max_cosine_weight(n):
    return torch.tensor([1.0, -1.0]).softmax(0)[0].item()


@wrong("The number is rounded")
def max_cosine_weight(n):
    return round(math.exp(2) / (math.exp(2) + n - 1), 3)


@wrong("/ comes before +")
def max_cosine_weight(n):
    return math.exp(2) / math.exp(2) + n - 1


@wrong("Of 2 keys one can have cosine 1 and each other one −1")
def max_cosine_weight(n):
    return math.exp(1.5) / (math.exp(1.5) + n - 1)


@right
def max_cosine_weight(n):
    scores = -torch.ones(n)
    scores[0] = 1
    return scores.softmax(0).max()


@right
def max_cosine_weight(n):
    return (1 + (n - 1) * torch.exp(torch.tensor(-2.0)).numpy()) ** -1
