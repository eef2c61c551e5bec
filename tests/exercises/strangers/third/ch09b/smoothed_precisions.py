import itertools

import numpy as np
from answering import right, wrong


@wrong("where nothing matches it smooths all the same")
def smoothed_precisions(matches, totals, smoothing):
    precisions, zeros = [], 0
    for n, (m, t) in enumerate(zip(matches, totals), start=1):
        if smoothing == "floor" and m == 0:
            m = 0.1
        elif smoothing == "exp" and m == 0:
            zeros += 1
            m = 1 / 2**zeros
        elif smoothing == "add-k" and n > 1:
            m, t = m + 1, t + 1
        precisions.append(m / t)
    return precisions


@wrong("add-k for the single words, too")
def smoothed_precisions(matches, totals, smoothing):
    if not any(matches):
        return [0.0] * 4
    precisions, zeros = [], 0
    for n, (m, t) in enumerate(zip(matches, totals), start=1):
        if smoothing == "floor" and m == 0:
            m = 0.1
        elif smoothing == "exp" and m == 0:
            zeros += 1
            m = 1 / 2**zeros
        elif smoothing == "add-k":
            m, t = m + 1, t + 1
        precisions.append(m / t)
    return precisions


@wrong("add-k only where there is no match")
def smoothed_precisions(matches, totals, smoothing):
    if not any(matches):
        return [0.0] * 4
    precisions, zeros = [], 0
    for n, (m, t) in enumerate(zip(matches, totals), start=1):
        if smoothing == "floor" and m == 0:
            m = 0.1
        elif smoothing == "exp" and m == 0:
            zeros += 1
            m = 1 / 2**zeros
        elif smoothing == "add-k" and n > 1 and m == 0:
            m, t = m + 1, t + 1
        precisions.append(m / t)
    return precisions


@wrong("add-k leaves the total as it is")
def smoothed_precisions(matches, totals, smoothing):
    if not any(matches):
        return [0.0] * 4
    precisions, zeros = [], 0
    for n, (m, t) in enumerate(zip(matches, totals), start=1):
        if smoothing == "floor" and m == 0:
            m = 0.1
        elif smoothing == "exp" and m == 0:
            zeros += 1
            m = 1 / 2**zeros
        elif smoothing == "add-k" and n > 1:
            m = m + 1
        precisions.append(m / t)
    return precisions


@wrong("floor puts 0.1 in the place of the precision, not of the matches")
def smoothed_precisions(matches, totals, smoothing):
    if not any(matches):
        return [0.0] * 4
    precisions, zeros = [], 0
    for n, (m, t) in enumerate(zip(matches, totals), start=1):
        if smoothing == "floor" and m == 0:
            m = 0.1 * t
        elif smoothing == "exp" and m == 0:
            zeros += 1
            m = 1 / 2**zeros
        elif smoothing == "add-k" and n > 1:
            m, t = m + 1, t + 1
        precisions.append(m / t)
    return precisions


@wrong("every zero of exp gets one half")
def smoothed_precisions(matches, totals, smoothing):
    if not any(matches):
        return [0.0] * 4
    precisions, zeros = [], 0
    for n, (m, t) in enumerate(zip(matches, totals), start=1):
        if smoothing == "floor" and m == 0:
            m = 0.1
        elif smoothing == "exp" and m == 0:
            zeros += 1
            m = 1 / 2
        elif smoothing == "add-k" and n > 1:
            m, t = m + 1, t + 1
        precisions.append(m / t)
    return precisions


@wrong("exp begins with 1: the count is raised too late")
def smoothed_precisions(matches, totals, smoothing):
    if not any(matches):
        return [0.0] * 4
    precisions, zeros = [], 0
    for n, (m, t) in enumerate(zip(matches, totals), start=1):
        if smoothing == "floor" and m == 0:
            m = 0.1
        elif smoothing == "exp" and m == 0:
            m = 1 / 2**zeros
            zeros += 1
        elif smoothing == "add-k" and n > 1:
            m, t = m + 1, t + 1
        precisions.append(m / t)
    return precisions


@wrong("exp takes the order in place of the count of zeros")
def smoothed_precisions(matches, totals, smoothing):
    if not any(matches):
        return [0.0] * 4
    precisions, zeros = [], 0
    for n, (m, t) in enumerate(zip(matches, totals), start=1):
        if smoothing == "floor" and m == 0:
            m = 0.1
        elif smoothing == "exp" and m == 0:
            zeros += 1
            m = 1 / 2**n
        elif smoothing == "add-k" and n > 1:
            m, t = m + 1, t + 1
        precisions.append(m / t)
    return precisions


@wrong("1/(2·j) instead of 1/2^j")
def smoothed_precisions(matches, totals, smoothing):
    if not any(matches):
        return [0.0] * 4
    precisions, zeros = [], 0
    for n, (m, t) in enumerate(zip(matches, totals), start=1):
        if smoothing == "floor" and m == 0:
            m = 0.1
        elif smoothing == "exp" and m == 0:
            zeros += 1
            m = 1 / (2 * zeros)
        elif smoothing == "add-k" and n > 1:
            m, t = m + 1, t + 1
        precisions.append(m / t)
    return precisions


@wrong("all four are zeros as soon as the first order with no match is met: all() for any()")
def smoothed_precisions(matches, totals, smoothing):
    if not all(matches):
        return [0.0] * 4
    precisions, zeros = [], 0
    for n, (m, t) in enumerate(zip(matches, totals), start=1):
        if smoothing == "floor" and m == 0:
            m = 0.1
        elif smoothing == "exp" and m == 0:
            zeros += 1
            m = 1 / 2**zeros
        elif smoothing == "add-k" and n > 1:
            m, t = m + 1, t + 1
        precisions.append(m / t)
    return precisions


@wrong("in percent")
def smoothed_precisions(matches, totals, smoothing):
    if not any(matches):
        return [0.0] * 4
    precisions, zeros = [], 0
    for n, (m, t) in enumerate(zip(matches, totals), start=1):
        if smoothing == "floor" and m == 0:
            m = 0.1
        elif smoothing == "exp" and m == 0:
            zeros += 1
            m = 1 / 2**zeros
        elif smoothing == "add-k" and n > 1:
            m, t = m + 1, t + 1
        precisions.append(100 * m / t)
    return precisions


@wrong("orders with a match are smoothed by floor as well: 0.1 is added everywhere")
def smoothed_precisions(matches, totals, smoothing):
    if not any(matches):
        return [0.0] * 4
    precisions, zeros = [], 0
    for n, (m, t) in enumerate(zip(matches, totals), start=1):
        if smoothing == "floor":
            m = m + 0.1
        elif smoothing == "exp" and m == 0:
            zeros += 1
            m = 1 / 2**zeros
        elif smoothing == "add-k" and n > 1:
            m, t = m + 1, t + 1
        precisions.append(m / t)
    return precisions


@wrong("whole-number division")
def smoothed_precisions(matches, totals, smoothing):
    if not any(matches):
        return [0.0] * 4
    precisions, zeros = [], 0
    for n, (m, t) in enumerate(zip(matches, totals), start=1):
        if smoothing == "floor" and m == 0:
            m = 0.1
        elif smoothing == "exp" and m == 0:
            zeros += 1
            m = 1 / 2**zeros
        elif smoothing == "add-k" and n > 1:
            m, t = m + 1, t + 1
        precisions.append(m // t)
    return precisions


@wrong("the name add_k with an underscore: the case is never met")
def smoothed_precisions(matches, totals, smoothing):
    if not any(matches):
        return [0.0] * 4
    precisions, zeros = [], 0
    for n, (m, t) in enumerate(zip(matches, totals), start=1):
        if smoothing == "floor" and m == 0:
            m = 0.1
        elif smoothing == "exp" and m == 0:
            zeros += 1
            m = 1 / 2**zeros
        elif smoothing == "add_k" and n > 1:
            m, t = m + 1, t + 1
        precisions.append(m / t)
    return precisions


@wrong("writes into the list of matches that it was given")
def smoothed_precisions(matches, totals, smoothing):
    if not any(matches):
        return [0.0] * 4
    precisions, zeros = [], 0
    for n, (m, t) in enumerate(zip(matches, totals), start=1):
        if smoothing == "floor" and m == 0:
            m = 0.1
        elif smoothing == "exp" and m == 0:
            zeros += 1
            m = 1 / 2**zeros
        elif smoothing == "add-k" and n > 1:
            m, t = m + 1, t + 1
        matches[n - 1] = m
        precisions.append(m / t)
    return precisions


@right
def smoothed_precisions(matches, totals, smoothing):
    if sum(matches) == 0:
        return [0.0, 0.0, 0.0, 0.0]
    if smoothing == "add-k":
        more = [0, 1, 1, 1]
        return [(m + k) / (t + k) for m, t, k in zip(matches, totals, more)]
    worth = {
        "none": itertools.repeat(0.0),
        "floor": itertools.repeat(0.1),
        "exp": (0.5**j for j in itertools.count(1)),
    }[smoothing]
    return [(m if m > 0 else next(worth)) / t for m, t in zip(matches, totals)]


@right
def smoothed_precisions(matches, totals, smoothing):
    m, t = np.array(matches, dtype=float), np.array(totals, dtype=float)
    empty = m == 0
    if empty.all():
        return [0.0] * len(m)
    if smoothing == "floor":
        m[empty] = 0.1
    elif smoothing == "exp":
        m[empty] = 0.5 ** np.arange(1, empty.sum() + 1)
    elif smoothing == "add-k":
        m[1:] += 1
        t[1:] += 1
    return (m / t).tolist()
