"""Answers to exercise ``can_stop``, written from its statement alone."""

import math

from answering import right, wrong

from attnlib import search


@wrong("only the next length is looked at")
def can_stop(best, live, t, max_length, alpha):
    if t >= max_length:
        return True
    return best >= live / search.length_penalty(float(t + 1), alpha)


@wrong("only the longest completion is looked at: wrong for a negative alpha")
def can_stop(best, live, t, max_length, alpha):
    if t >= max_length:
        return True
    return best >= live / search.length_penalty(float(max_length), alpha)


@wrong("a tie is thought to be a gain")
def can_stop(best, live, t, max_length, alpha):
    lengths = range(t + 1, max_length + 1)
    return all(best > live / search.length_penalty(float(n), alpha) for n in lengths)


@wrong("the present length is counted: a prefix of t tokens has not ended")
def can_stop(best, live, t, max_length, alpha):
    lengths = range(t, max_length + 1)
    return all(best >= live / search.length_penalty(float(n), alpha) for n in lengths)


@wrong("max_length itself is left out")
def can_stop(best, live, t, max_length, alpha):
    lengths = range(t + 1, max_length)
    return all(best >= live / search.length_penalty(float(n), alpha) for n in lengths)


@wrong("stops when one length cannot win, not when none can")
def can_stop(best, live, t, max_length, alpha):
    if t >= max_length:
        return True
    lengths = range(t + 1, max_length + 1)
    return any(best >= live / search.length_penalty(float(n), alpha) for n in lengths)


@wrong("the penalty is ignored: log-probability against score")
def can_stop(best, live, t, max_length, alpha):
    return t >= max_length or best >= live


@wrong("with nothing finished it never stops, even where no length is left")
def can_stop(best, live, t, max_length, alpha):
    if best == -math.inf:
        return False
    lengths = range(t + 1, max_length + 1)
    return all(best >= live / search.length_penalty(float(n), alpha) for n in lengths)


@wrong("multiplied by the penalty")
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
