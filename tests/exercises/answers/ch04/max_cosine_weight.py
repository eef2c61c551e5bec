"""Answers to exercise ``max_cosine_weight``, as learners write them."""

import math

import torch
from answering import wrong


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


@wrong("A single key must get the whole weight")
def max_cosine_weight(n):
    return math.exp(2) / (math.exp(2) + n + 1)
