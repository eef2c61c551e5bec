"""Answers to exercise ``greedy_trap``, written from its statement alone."""

import math

import torch
from answering import right, wrong


@wrong("two equal shares: enough only for p below two thirds")
def greedy_trap(p):
    return [0.5, 0.5], [1.0]


@wrong("always a hundred shares: not enough for p very near 1")
def greedy_trap(p):
    return [1 / 100] * 100, [1.0]


@wrong("n = p / (1 − p), rounded up: where it is whole both sentences are equally probable")
def greedy_trap(p):
    n = math.ceil(round(p / (1 - p), 9))
    return [1 / n] * n, [1.0]


@wrong("the lists are exchanged")
def greedy_trap(p):
    n = int(p / (1 - p)) + 2
    return [1.0], [1 / n] * n


@wrong("the model is unsure after b as well")
def greedy_trap(p):
    n = int(p / (1 - p)) + 2
    return [1 / n] * n, [0.5, 0.5]


@wrong("what follows a does not add up to 1")
def greedy_trap(p):
    return [(1 - p) / 2, (1 - p) / 2], [1.0]


@wrong("probabilities of whole sentences, not of the second word")
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
