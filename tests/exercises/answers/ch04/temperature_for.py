"""Answers to exercise ``temperature_for``, as learners write them."""

import math

import torch
from answering import right, wrong


@wrong("This is 1/τ")
def temperature_for(n, target):
    x = target * (n - 1) / (1 - target)
    return math.log(x) / 2


@wrong("Here it is 1")
def temperature_for(n, target):
    x = target * (n - 1) / (1 - target)
    return 1 / math.log(x)


@wrong("Raise a ValueError with a sentence of your own")
def temperature_for(n, target):
    return 2 / math.log(target * (n - 1) / (1 - target))


@wrong("It raises ValueError: less than a half")
def temperature_for(n, target):
    if target <= 1 / n or target >= 1:
        raise ValueError("impossible")
    if target < 0.5:
        raise ValueError("less than a half")
    return 2 / math.log(target * (n - 1) / (1 - target))


@right
def temperature_for(n, target):
    if target >= 1 or target * n <= 1:
        raise ValueError
    return torch.tensor(2 / (math.log(target) - math.log1p(-target) + math.log(n - 1)))


@right
def temperature_for(n, target):
    if target <= 1 / n or target >= 1:
        raise ValueError(target)
    cold, warm = 1e-3, 1e6
    while warm / cold > 1 + 1e-9:
        middle = (cold * warm) ** 0.5
        weight = 1 / (1 + (n - 1) * math.exp(-2 / middle))
        cold, warm = (middle, warm) if weight > target else (cold, middle)
    return cold
