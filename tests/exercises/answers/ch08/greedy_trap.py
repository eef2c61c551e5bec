"""Answers to exercise ``greedy_trap``, as learners write them."""

from answering import wrong


@wrong("4 words are too few")
def greedy_trap(p):
    return [0.25] * 4, [1.0]


@wrong("What follows a sums to 0.5")
def greedy_trap(p):
    return [0.1] * 5, [1.0]
