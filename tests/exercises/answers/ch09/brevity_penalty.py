"""Answers to exercise ``brevity_penalty``, as learners write them."""

import math

from answering import right, wrong


@wrong("harsher of the two")
def brevity_penalty(hypothesis_length, reference_length):
    return min(1.0, hypothesis_length / reference_length)


@wrong("c and r have changed places")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    c, r = reference_length, hypothesis_length
    if c == 0:
        return 0.0
    return 1.0 if c >= r else math.exp(1 - r / c)


@wrong("grows beyond 1")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    if hypothesis_length == 0:
        return 0.0
    return math.exp(1 - reference_length / hypothesis_length)


@wrong("upside down")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    if hypothesis_length < reference_length:
        return math.exp(1 - hypothesis_length / reference_length)
    return 1.0


@wrong("The 1 is missing")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    if hypothesis_length == 0:
        return 0.0
    if hypothesis_length < reference_length:
        return math.exp(-reference_length / hypothesis_length)
    return 1.0


@wrong("With c = 0 it raises")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    if hypothesis_length >= reference_length:
        return 1.0
    return math.exp(1 - reference_length / hypothesis_length)


@wrong("too long is punished as well")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    short, long = sorted([hypothesis_length, reference_length])
    return math.exp(1 - long / short) if short else 0.0


@wrong("here exp(1 − 10/5)")
def brevity_penalty(hypothesis_length, reference_length):
    if hypothesis_length == 0:
        return 0.0
    share = hypothesis_length / reference_length
    return min(1.0, share**0.5)


@wrong("cut to a whole number")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    if hypothesis_length == 0:
        return 0.0
    return min(1.0, math.exp(1 - reference_length // hypothesis_length))


@wrong("The difference c − r")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    gap = hypothesis_length - reference_length
    return math.exp(min(gap, 0)) if hypothesis_length else 0.0


@wrong("reference_length = 0 comes 1, where 0 is expected: who says nothing")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    if hypothesis_length >= reference_length:
        return 1.0
    return math.exp(1 - reference_length / hypothesis_length) if hypothesis_length else 0.0


@wrong("here exp(1 − 10/5)")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    if hypothesis_length == 0:
        return 0.0
    return min(1.0, math.exp(2 - 2 * reference_length / hypothesis_length))


@wrong("who says nothing at all gets 0")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    return min(1.0, math.exp(1 - reference_length / max(hypothesis_length, 1)))


@right
def brevity_penalty(hypothesis_length, reference_length):
    import torch

    if hypothesis_length == 0:
        return torch.tensor(0.0)
    ratio = torch.tensor(reference_length / hypothesis_length, dtype=torch.float64)
    return torch.exp(1 - ratio).clamp(max=1)


@right
def brevity_penalty(hypothesis_length, reference_length):
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.float64(reference_length) / hypothesis_length
    return np.exp(min(0.0, 1 - ratio)) if hypothesis_length else np.float64(0)


@wrong("The function keeps something between calls")
def brevity_penalty(hypothesis_length, reference_length, table={}):
    if not hypothesis_length:
        return 0.0
    if hypothesis_length not in table:
        table[hypothesis_length] = math.exp(min(0, 1 - reference_length / hypothesis_length))
    return table[hypothesis_length]
