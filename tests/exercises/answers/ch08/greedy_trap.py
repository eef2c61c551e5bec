"""Answers to exercise ``greedy_trap``, as learners write them."""

import math

from answering import wrong


@wrong("must the model be unsure")
def greedy_trap(p):
    return [1.0], [1.0]


@wrong("enough only while p / 2 < 1 − p")
def greedy_trap(p):
    return [0.5, 0.5], [1.0]


@wrong("Among how many words must")
def greedy_trap(p):
    return [0.25] * 4, [1.0]


@wrong("What follows a sums to 0.5")
def greedy_trap(p):
    return [0.1] * 5, [1.0]


@wrong("what follows b be more certain")
def greedy_trap(p):
    n = int(p / (1 - p)) + 2
    return [1.0], [1 / n] * n


@wrong("The two lists are exchanged")
def greedy_trap(p):
    n = math.ceil(p / (1 - p)) + 1
    return [1.0], [1 / n] * n


@wrong("what follows b be more certain")
def greedy_trap(p):
    return [0.01] * 100, [0.5, 0.5]


@wrong("Two lists of numbers")
def greedy_trap(p):
    return [0.01] * 100, []
