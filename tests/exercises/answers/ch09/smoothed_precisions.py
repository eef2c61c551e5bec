"""Answers to exercise ``smoothed_precisions``, as learners write them."""

from answering import wrong


@wrong("The second such order gets ¼")
def smoothed_precisions(matches, totals, smoothing):
    if sum(matches) == 0:
        return [0.0] * 4
    result = []
    for n, (m, t) in enumerate(zip(matches, totals)):
        if smoothing == "add-k" and n:
            m, t = m + 1, t + 1
        if m == 0:
            m = {"exp": 0.5, "floor": 0.1}.get(smoothing, 0)
        result.append(m / t)
    return result


@wrong("exp halves by the order n")
def smoothed_precisions(matches, totals, smoothing):
    if sum(matches) == 0:
        return [0.0] * 4
    result = []
    for n, (m, t) in enumerate(zip(matches, totals), 1):
        if smoothing == "add-k" and n > 1:
            m, t = m + 1, t + 1
        if m == 0:
            m = {"exp": 2**-n, "floor": 0.1}.get(smoothing, 0)
        result.append(m / t)
    return result


@wrong("that much of a *match*")
def smoothed_precisions(matches, totals, smoothing):
    if sum(matches) == 0:
        return [0.0] * 4
    result, share = [], 1.0
    for n, (m, t) in enumerate(zip(matches, totals), 1):
        if smoothing == "add-k" and n > 1:
            m, t = m + 1, t + 1
        if m == 0 and smoothing == "exp":
            share /= 2
            result.append(share)
        elif m == 0 and smoothing == "floor":
            result.append(0.1 / t)
        else:
            result.append(m / t)
    return result


@wrong("a tenth of a *match*")
def smoothed_precisions(matches, totals, smoothing):
    if sum(matches) == 0:
        return [0.0] * 4
    result, share = [], 1.0
    for n, (m, t) in enumerate(zip(matches, totals), 1):
        if smoothing == "add-k" and n > 1:
            m, t = m + 1, t + 1
        if m == 0 and smoothing == "exp":
            share /= 2
            result.append(share / t)
        else:
            result.append(max(m / t, 0.1 if smoothing == "floor" and m == 0 else 0))
    return result


@wrong("leaves n = 1 alone")
def smoothed_precisions(matches, totals, smoothing):
    if sum(matches) == 0:
        return [0.0] * 4
    if smoothing == "add-k":
        return [(m + 1) / (t + 1) for m, t in zip(matches, totals)]
    result, share = [], 1.0
    for m, t in zip(matches, totals):
        if m == 0 and smoothing == "exp":
            share /= 2
            m = share
        elif m == 0 and smoothing == "floor":
            m = 0.1
        result.append(m / t)
    return result


@wrong("a perfect order stays 1")
def smoothed_precisions(matches, totals, smoothing):
    if sum(matches) == 0:
        return [0.0] * 4
    result, share = [], 1.0
    for n, (m, t) in enumerate(zip(matches, totals)):
        if smoothing == "add-k" and n > 0:
            m += 1
        if m == 0 and smoothing == "exp":
            share /= 2
            m = share
        elif m == 0 and smoothing == "floor":
            m = 0.1
        result.append(m / t)
    return result


@wrong("nothing to smooth")
def smoothed_precisions(matches, totals, smoothing):
    result, share = [], 1.0
    for n, (m, t) in enumerate(zip(matches, totals)):
        if smoothing == "add-k" and n > 0:
            m, t = m + 1, t + 1
        if m == 0 and smoothing == "exp":
            share /= 2
            m = share
        elif m == 0 and smoothing == "floor":
            m = 0.1
        result.append(m / t)
    return result


@wrong("has no effect")
def smoothed_precisions(matches, totals, smoothing):
    return [m / t if t > 0 else 0.0 for m, t in zip(matches, totals)]
