"""Answers to exercise ``forget_bias_for``, as learners write them."""

import math

import torch
from answering import right, wrong


@wrong("This is the gate f")
def forget_bias_for(distance, share):
    return share ** (1 / distance)


@wrong("upside down")
def forget_bias_for(distance, share):
    f = share ** (1 / distance)
    return math.log(1 / f - 1)


@wrong("of the memory after")
def forget_bias_for(distance, share):
    f = share ** (1 / distance)
    return 1.5 * math.log(f / (1 - f))


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
