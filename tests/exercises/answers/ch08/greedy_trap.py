"""Answers to exercise ``greedy_trap``, as learners write them."""

from answering import wrong


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
