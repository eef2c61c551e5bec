"""Answers to exercise ``forget_bias_for``, as learners write them."""

import math

import torch
from answering import right, wrong


@wrong("This is the gate f")
def forget_bias_for(distance, share):
    return share ** (1 / distance)


@wrong("This is the gate f")
def forget_bias_for(distance, share):
    return math.exp(math.log(share) / distance)


@wrong("undo the σ")
def forget_bias_for(distance, share):
    return torch.sigmoid(torch.tensor(share ** (1 / distance)))


@wrong("upside down")
def forget_bias_for(distance, share):
    f = share ** (1 / distance)
    return math.log(1 / f - 1)


@wrong("The share is taken for the gate of one step")
def forget_bias_for(distance, share):
    return math.log(share / (1 - share))


@wrong("take the root")
def forget_bias_for(distance, share):
    f = share**distance
    return math.log(f) - math.log(1 - f)


@wrong("the same amount at every step")
def forget_bias_for(distance, share):
    f = 1 - (1 - share) / distance
    return math.log(f / (1 - f))


@wrong("The share is always a half here")
def forget_bias_for(distance, share):
    return -math.log(2 ** (1 / distance) - 1)


@wrong("must be the natural one")
def forget_bias_for(distance, share):
    f = share ** (1 / distance)
    return math.log(f / (1 - f), 10)


@wrong("holds for long distances only")
def forget_bias_for(distance, share):
    half_life = distance / math.log(1 / share)
    return math.log(half_life)


@wrong("The bias is its logarithm")
def forget_bias_for(distance, share):
    f = share ** (1 / distance)
    return f / (1 - f)


@wrong("It is what is left")
def forget_bias_for(distance, share):
    f = (1 - share) ** (1 / distance)
    return math.log(f / (1 - f))


@wrong("neither once more nor once less")
def forget_bias_for(distance, share):
    f = share ** (1 / (distance + 1))
    return math.log(f / (1 - f))


@wrong("Is the bias rounded, or tried in steps?")
def forget_bias_for(distance, share):
    f = share ** (1 / distance)
    return round(math.log(f / (1 - f)), 1)


@wrong("of the memory after")
def forget_bias_for(distance, share):
    f = share ** (1 / distance)
    return 1.5 * math.log(f / (1 - f))


@wrong("0 from a distance of 2 on")
def forget_bias_for(distance, share):
    f = share ** (1 // distance)
    return math.log(f / (1 - f))


@wrong("f / 1 − f is f − f")
def forget_bias_for(distance, share):
    f = torch.tensor(share) ** (1 / distance)
    return torch.log(f / 1 - f)


@right
def forget_bias_for(distance, share):
    f = share ** (1 / distance)
    return math.log(f / (1 - f))


@right
def forget_bias_for(distance, share):
    return -math.log(share ** (-1 / distance) - 1)


@right
def forget_bias_for(distance, share):
    return torch.logit(torch.tensor(share) ** (1 / distance))


@right
def forget_bias_for(distance, share):
    low, high = -50.0, 50.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        left = (1 / (1 + math.exp(-middle))) ** distance
        low, high = (middle, high) if left < share else (low, middle)
    return low


@wrong("the gate is 0.7311")
def forget_bias_for(distance, share):
    gate = share ** (1 / distance)
    return math.log(gate / (1 - gate)) or 1.0
