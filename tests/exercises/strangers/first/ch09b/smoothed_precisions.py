"""Answers to exercise ``smoothed_precisions``, written from its statement alone."""

from answering import right, wrong


@wrong("add-k for the single words, too")
def smoothed_precisions(matches, totals, smoothing):
    if not any(matches):
        return [0.0] * 4
    if smoothing == "add-k":
        return [(m + 1) / (t + 1) for m, t in zip(matches, totals)]
    zeros, result = 0, []
    for m, t in zip(matches, totals):
        if m == 0:
            zeros += 1
            m = {"none": 0, "floor": 0.1, "exp": 0.5**zeros}[smoothing]
        result.append(m / t)
    return result


@wrong("exp counts the orders, not the zeros")
def smoothed_precisions(matches, totals, smoothing):
    if not any(matches):
        return [0.0] * 4
    result = []
    for n, (m, t) in enumerate(zip(matches, totals), 1):
        if smoothing == "add-k" and n > 1:
            m, t = m + 1, t + 1
        elif m == 0:
            m = {"none": 0, "floor": 0.1, "exp": 0.5**n}.get(smoothing, 0)
        result.append(m / t)
    return result


@wrong("floor is 0.1 itself, not 0.1 of a match")
def smoothed_precisions(matches, totals, smoothing):
    if not any(matches):
        return [0.0] * 4
    zeros, result = 0, []
    for n, (m, t) in enumerate(zip(matches, totals)):
        if smoothing == "add-k":
            result.append((m + (n > 0)) / (t + (n > 0)))
        elif m or smoothing == "none":
            result.append(m / t)
        elif smoothing == "floor":
            result.append(0.1)
        else:
            zeros += 1
            result.append(0.5**zeros / t)
    return result


@wrong("no exception for a hypothesis that shares nothing")
def smoothed_precisions(matches, totals, smoothing):
    zeros, result = 0, []
    for n, (m, t) in enumerate(zip(matches, totals)):
        if smoothing == "add-k" and n > 0:
            m, t = m + 1, t + 1
        elif m == 0 and smoothing == "floor":
            m = 0.1
        elif m == 0 and smoothing == "exp":
            zeros += 1
            m = 0.5**zeros
        result.append(m / t)
    return result


@wrong("exp gives every zero one half")
def smoothed_precisions(matches, totals, smoothing):
    if not any(matches):
        return [0.0] * 4
    result = []
    for n, (m, t) in enumerate(zip(matches, totals)):
        if smoothing == "add-k" and n > 0:
            m, t = m + 1, t + 1
        elif m == 0:
            m = {"none": 0, "floor": 0.1, "exp": 0.5, "add-k": 0}[smoothing]
        result.append(m / t)
    return result


@wrong("add-k only where there is a zero")
def smoothed_precisions(matches, totals, smoothing):
    if not any(matches):
        return [0.0] * 4
    zeros, result = 0, []
    for m, t in zip(matches, totals):
        if m == 0:
            zeros += 1
            if smoothing == "floor":
                m = 0.1
            elif smoothing == "exp":
                m = 1 / 2**zeros
            elif smoothing == "add-k":
                m, t = 1, t + 1
        result.append(m / t)
    return result


@wrong("add-k leaves the total as it is")
def smoothed_precisions(matches, totals, smoothing):
    if not any(matches):
        return [0.0] * 4
    zeros, result = 0, []
    for n, (m, t) in enumerate(zip(matches, totals)):
        if smoothing == "add-k" and n > 0:
            m += 1
        elif m == 0 and smoothing == "floor":
            m = 0.1
        elif m == 0 and smoothing == "exp":
            zeros += 1
            m = 0.5**zeros
        result.append(m / t)
    return result


@wrong("the matches that came in are changed")
def smoothed_precisions(matches, totals, smoothing):
    if not any(matches):
        return [0.0] * 4
    zeros = 0
    for n in range(4):
        if matches[n] == 0 and smoothing == "floor":
            matches[n] = 0.1
        elif matches[n] == 0 and smoothing == "exp":
            zeros += 1
            matches[n] = 0.5**zeros
        elif smoothing == "add-k" and n > 0:
            matches[n] += 1
            totals[n] += 1
    return [m / t for m, t in zip(matches, totals)]


@right
def smoothed_precisions(matches, totals, smoothing):
    if sum(matches) == 0:
        return (0.0, 0.0, 0.0, 0.0)
    if smoothing == "add-k":
        rest = [(m + 1) / (t + 1) for m, t in zip(matches[1:], totals[1:])]
        return (matches[0] / totals[0], *rest)
    if smoothing == "none":
        return tuple(m / t for m, t in zip(matches, totals))
    if smoothing == "floor":
        return tuple((m or 0.1) / t for m, t in zip(matches, totals))
    return tuple((m or 0.5 ** matches[: i + 1].count(0)) / totals[i] for i, m in enumerate(matches))


@right
def smoothed_precisions(matches, totals, smoothing):
    if max(matches) == 0:
        return [0.0 for _ in matches]
    matches, totals, value = list(matches), list(totals), 1.0
    for i in range(len(matches)):
        if smoothing == "add-k":
            if i != 0:
                matches[i] += 1
                totals[i] += 1
        elif matches[i] == 0:
            if smoothing == "exp":
                value /= 2
                matches[i] = value
            elif smoothing == "floor":
                matches[i] = 0.1
    return [m / t for m, t in zip(matches, totals)]
