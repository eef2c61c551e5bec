"""Answers to exercise ``can_stop``, as learners write them."""

from answering import right, wrong

from attnlib import search


@wrong("*present* length")
def can_stop(best, live, t, max_length, alpha):
    return best >= live / ((5 + t) / 6) ** alpha


@wrong("rule for α = 0")
def can_stop(best, live, t, max_length, alpha):
    return best >= live


@wrong("With a negative α")
def can_stop(best, live, t, max_length, alpha):
    return best >= live / ((5 + max_length) / 6) ** alpha


@wrong("It goes on for nothing")
def can_stop(best, live, t, max_length, alpha):
    return False


@right
def can_stop(best, live, t, max_length, alpha):
    for n in range(t + 1, max_length + 1):
        if live / ((5 + n) / 6) ** alpha > best:
            return False
    return True


@right
def can_stop(best, live, t, max_length, alpha):
    if t >= max_length:
        return True
    n = t + 1 if alpha < 0 else max_length  # the length that helps most
    return best >= live / search.length_penalty(float(n), alpha)
