"""Answers to exercise ``can_stop``, as learners write them."""

import math

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


@wrong("and max_length is not")
def can_stop(best, live, t, max_length, alpha):
    lengths = range(t, max_length)
    return all(best >= live / ((5 + n) / 6) ** alpha for n in lengths)


@wrong("as if it ended now")
def can_stop(best, live, t, max_length, alpha):
    if t >= max_length:
        return True
    return best >= live / search.length_penalty(float(t + 1), alpha)


@wrong("right for α ≥ 0")
def can_stop(best, live, t, max_length, alpha):
    if t >= max_length:
        return True
    return best >= live / search.length_penalty(float(max_length), alpha)


@wrong("taken for a better one")
def can_stop(best, live, t, max_length, alpha):
    lengths = range(t + 1, max_length + 1)
    return all(best > live / search.length_penalty(float(n), alpha) for n in lengths)


@wrong("present length t is among")
def can_stop(best, live, t, max_length, alpha):
    lengths = range(t, max_length + 1)
    return all(best >= live / search.length_penalty(float(n), alpha) for n in lengths)


@wrong("max_length itself is left out")
def can_stop(best, live, t, max_length, alpha):
    lengths = range(t + 1, max_length)
    return all(best >= live / search.length_penalty(float(n), alpha) for n in lengths)


@wrong("all, not any")
def can_stop(best, live, t, max_length, alpha):
    if t >= max_length:
        return True
    lengths = range(t + 1, max_length + 1)
    return any(best >= live / search.length_penalty(float(n), alpha) for n in lengths)


@wrong("With nothing finished")
def can_stop(best, live, t, max_length, alpha):
    if best == -math.inf:
        return False
    lengths = range(t + 1, max_length + 1)
    return all(best >= live / search.length_penalty(float(n), alpha) for n in lengths)


@wrong("multiplied by lp(n)")
def can_stop(best, live, t, max_length, alpha):
    lengths = range(t + 1, max_length + 1)
    return all(best >= live * search.length_penalty(float(n), alpha) for n in lengths)


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


@wrong("or best was divided as well")
def can_stop(best, live, t, max_length, alpha):
    from attnlib.search import length_penalty

    lengths = [length_penalty(float(n), alpha) for n in range(t + 1, max_length + 1)]
    return all(best / divisor >= live / divisor for divisor in lengths)


@wrong("max or min of no numbers fails")
def can_stop(best, live, t, max_length, alpha):
    lengths = range(t + 1, max_length + 1)
    return best >= max(live / search.length_penalty(float(n), alpha) for n in lengths)
