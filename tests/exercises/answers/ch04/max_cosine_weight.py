"""Answers to exercise ``max_cosine_weight``, as learners write them."""

import math

import torch
from answering import right, wrong


@wrong("What is returned is 0.731059")
def max_cosine_weight(n):
    return math.exp(1) / (math.exp(1) + (n - 1) * math.exp(0))


@wrong("how many are left?")
def max_cosine_weight(n):
    return math.exp(2) / (math.exp(2) + n)


@wrong("What is returned is 0.500000")
def max_cosine_weight(n):
    return torch.ones(n).softmax(0)[0].item()


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
