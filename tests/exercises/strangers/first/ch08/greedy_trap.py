"""Answers to exercise ``greedy_trap``, written from its statement alone."""

from answering import wrong


@wrong("the model is unsure after b as well")
def greedy_trap(p):
    n = int(p / (1 - p)) + 2
    return [1 / n] * n, [0.5, 0.5]


@wrong("what follows a does not add up to 1")
def greedy_trap(p):
    return [(1 - p) / 2, (1 - p) / 2], [1.0]
