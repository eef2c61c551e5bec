"""Answers to exercise ``greedy_trap``, as learners write them."""

import math

import torch
from answering import right, wrong


@wrong("1 word is too few")
def greedy_trap(p):
    return [1.0], [1.0]


@wrong("2 words are too few")
def greedy_trap(p):
    return [0.5, 0.5], [1.0]


@wrong("4 words are too few")
def greedy_trap(p):
    return [0.25] * 4, [1.0]


@wrong("What follows a sums to 0.5")
def greedy_trap(p):
    return [0.1] * 5, [1.0]


@right
def greedy_trap(p):
    n = 1
    while p / n >= 0.99 * (1 - p):
        n += 1
    return [1.0 / n for _ in range(n)], [1.0]


@right
def greedy_trap(p):
    n = 2 * math.ceil(1 / (1 - p))
    return (torch.ones(n, dtype=torch.float64) / n).tolist(), [1.0, 0.0]
