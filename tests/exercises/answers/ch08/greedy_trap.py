"""Answers to exercise ``greedy_trap``, as learners write them."""

import math

import torch
from answering import right, wrong


@wrong("must the model be unsure")
def greedy_trap(p):
    return [1.0], [1.0]


@wrong("enough only while p / 2 < 1 − p")
def greedy_trap(p):
    return [0.5, 0.5], [1.0]


@wrong("4 words are too few")
def greedy_trap(p):
    return [0.25] * 4, [1.0]


@wrong("What follows a sums to 0.5")
def greedy_trap(p):
    return [0.1] * 5, [1.0]


@wrong("What follows a is certain")
def greedy_trap(p):
    n = int(p / (1 - p)) + 2
    return [1.0], [1 / n] * n


@wrong("The two lists are exchanged")
def greedy_trap(p):
    n = math.ceil(p / (1 - p)) + 1
    return [1.0], [1 / n] * n


@wrong("The most that can follow b is 1")
def greedy_trap(p):
    return [0.01] * 100, [0.5, 0.5]


@wrong("Two lists of numbers")
def greedy_trap(p):
    return [0.01] * 100, []


@wrong("100 words are too few")
def greedy_trap(p):
    return [1 / 100] * 100, [1.0]


@wrong("3 words are too few")
def greedy_trap(p):
    n = math.ceil(round(p / (1 - p), 9))
    return [1 / n] * n, [1.0]


@wrong("probabilities of whole sentences")
def greedy_trap(p):
    n = int(p / (1 - p)) + 2
    return [p / n] * n, [1 - p]


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
