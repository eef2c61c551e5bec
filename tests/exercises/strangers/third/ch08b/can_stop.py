import math

from answering import right, wrong

from attnlib import search


@wrong("the present length: the prefix as it stands")
def can_stop(best, live, t, max_length, alpha):
    if t >= max_length:
        return True
    return best >= live / search.length_penalty(float(t), alpha)


@wrong("any length that cannot win is enough")
def can_stop(best, live, t, max_length, alpha):
    lengths = range(t + 1, max_length + 1)
    return any(best >= live / search.length_penalty(float(n), alpha) for n in lengths)


@wrong("the answer turned round: whether it must go on")
def can_stop(best, live, t, max_length, alpha):
    lengths = range(t + 1, max_length + 1)
    return any(live / search.length_penalty(float(n), alpha) > best for n in lengths)


@wrong("stops as soon as anything has finished")
def can_stop(best, live, t, max_length, alpha):
    return best > -math.inf or t >= max_length


@wrong("at the end, where no length is left, it says no")
def can_stop(best, live, t, max_length, alpha):
    lengths = list(range(t + 1, max_length + 1))
    if not lengths or best == -math.inf:
        return False
    return all(best >= live / search.length_penalty(float(n), alpha) for n in lengths)


@wrong("the best is divided by the penalty again, though it is a score already")
def can_stop(best, live, t, max_length, alpha):
    for n in range(t + 1, max_length + 1):
        lp = search.length_penalty(float(n), alpha)
        if live / lp > best / lp:
            return False
    return True


@right
def can_stop(best, live, t, max_length, alpha):
    reach = [live / ((5 + n) / 6) ** alpha for n in range(t + 1, max_length + 1)]
    return max(reach, default=-math.inf) <= best


@right
def can_stop(best, live, t, max_length, alpha):
    n = t
    while n < max_length:
        n += 1
        if live / float(search.length_penalty(float(n), alpha)) > best:
            return False
    return True
