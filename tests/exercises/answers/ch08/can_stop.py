"""Answers to exercise ``can_stop``, as learners write them."""

import math

from answering import wrong


@wrong("*present* length")
def can_stop(best, live, t, max_length, alpha):
    return best >= live / ((5 + t) / 6) ** alpha


@wrong("rule for α = 0")
def can_stop(best, live, t, max_length, alpha):
    return best >= live


@wrong("With a negative α")
def can_stop(best, live, t, max_length, alpha):
    return best >= live / ((5 + max_length) / 6) ** alpha


@wrong("as if it ended now")
def can_stop(best, live, t, max_length, alpha):
    if t == max_length:
        return True
    return best >= live / ((5 + t + 1) / 6) ** alpha


@wrong("as soon as anything has ended")
def can_stop(best, live, t, max_length, alpha):
    return best != -math.inf


@wrong("never stops before max_length")
def can_stop(best, live, t, max_length, alpha):
    return t == max_length


@wrong("It goes on for nothing")
def can_stop(best, live, t, max_length, alpha):
    return False


@wrong("It stops too early")
def can_stop(best, live, t, max_length, alpha):
    lengths = range(t, max_length)
    return all(best >= live / ((5 + n) / 6) ** alpha for n in lengths)
