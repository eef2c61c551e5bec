"""Answers to exercise ``smoothed_precisions``, as learners write them."""

from answering import right, wrong


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


@wrong("zero number 1 counts as ½ to the power 1 of a match")
def smoothed_precisions(matches, totals, smoothing):
    if sum(matches) == 0:
        return [0.0] * 4
    result, zeros = [], 0
    for n, (m, t) in enumerate(zip(matches, totals)):
        if smoothing == "add-k" and n:
            m, t = m + 1, t + 1
        elif m == 0 and smoothing == "exp":
            zeros += 1
            m = 0.3**zeros
        elif m == 0 and smoothing == "floor":
            m = 0.1
        result.append(m / t)
    return result


@wrong("The argument matches was changed")
def smoothed_precisions(matches, totals, smoothing):
    for n in range(4):
        if any(matches[:1]) and smoothing == "exp":
            matches[n] = matches[n] or 0.5 ** (n - 1)
    return [m / t for m, t in zip(matches, totals)]


@right
def smoothed_precisions(matches, totals, smoothing):
    import numpy as np

    m, t = np.array(matches, dtype=float), np.array(totals, dtype=float)
    if m.sum() == 0:
        return np.zeros(4)
    if smoothing == "add-k":
        m[1:] += 1
        t[1:] += 1
    elif smoothing == "floor":
        m[m == 0] = 0.1
    elif smoothing == "exp":
        zero = m == 0
        m[zero] = 0.5 ** np.cumsum(zero)[zero]
    return m / t


@right
def smoothed_precisions(matches, totals, smoothing):
    import torch

    m, t = torch.tensor(matches).double(), torch.tensor(totals).double()
    if not m.any():
        return tuple([0] * 4)
    later = torch.arange(4) > 0
    if smoothing == "add-k":
        return tuple((m + later) / (t + later))
    zero = m == 0
    value = {"none": m, "floor": torch.full_like(m, 0.1), "exp": 0.5 ** zero.cumsum(0)}[smoothing]
    return list(torch.where(zero, value, m) / t)


@wrong("zero number")
def smoothed_precisions(matches, totals, smoothing):  # behind a zero the power goes on
    if not any(matches):
        return [0.0] * len(matches)
    found, power = [], 0
    for n, (m, t) in enumerate(zip(matches, totals), 1):
        power += m == 0 or power > 0
        if smoothing == "add-k" and n > 1:
            m, t = m + 1, t + 1
        elif m == 0 and smoothing == "floor":
            m = 0.1
        elif m == 0 and smoothing == "exp":
            m = 0.5**power
        found.append(m / t)
    return found
