"""Answers to exercise ``brevity_penalty``, as learners write them."""

from answering import right, wrong


@wrong("harsher of the two")
def brevity_penalty(hypothesis_length, reference_length):
    return min(1.0, hypothesis_length / reference_length)


@wrong("upside down")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    if hypothesis_length < reference_length:
        return math.exp(1 - hypothesis_length / reference_length)
    return 1.0


@wrong("It raises ZeroDivisionError: division by zero")
def brevity_penalty(hypothesis_length, reference_length):
    import math

    if hypothesis_length >= reference_length:
        return 1.0
    return math.exp(1 - reference_length / hypothesis_length)


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
