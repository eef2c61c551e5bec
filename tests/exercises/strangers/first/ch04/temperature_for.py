"""Answers to exercise ``temperature_for``, written from its statement alone."""

import math

import torch
from answering import right, wrong


@wrong("the logarithm to base 10")
def temperature_for(n, target):
    if not 1 / n < target < 1:
        raise ValueError("no such temperature")
    return 2 / math.log10(target * (n - 1) / (1 - target))


@wrong("the logarithm to base 2")
def temperature_for(n, target):
    if not 1 / n < target < 1:
        raise ValueError("no such temperature")
    return 2 / math.log2(target * (n - 1) / (1 - target))


@wrong("upside down: log x / 2 is 1/τ")
def temperature_for(n, target):
    if not 1 / n < target < 1:
        raise ValueError("no such temperature")
    return math.log(target * (n - 1) / (1 - target)) / 2


@wrong("the 2 is forgotten: τ = 1 / log x")
def temperature_for(n, target):
    if not 1 / n < target < 1:
        raise ValueError("no such temperature")
    return 1 / math.log(target * (n - 1) / (1 - target))


@wrong("n instead of n − 1")
def temperature_for(n, target):
    if not 1 / n < target < 1:
        raise ValueError("no such temperature")
    return 2 / math.log(target * n / (1 - target))


@wrong("only 0 and 1 are taken for limits")
def temperature_for(n, target):
    if target <= 0 or target >= 1:
        raise ValueError("a weight lies between 0 and 1")
    return 2 / math.log(target * (n - 1) / (1 - target))


@wrong("the limits themselves are let through")
def temperature_for(n, target):
    if target < 1 / n or target > 1:
        raise ValueError("no such temperature")
    return 2 / math.log(target * (n - 1) / (1 - target))


@wrong("assert raises another error")
def temperature_for(n, target):
    assert 1 / n < target < 1, "no such temperature"
    return 2 / math.log(target * (n - 1) / (1 - target))


@wrong("solved for x wrongly: the denominator is target, the numerator 1 − target")
def temperature_for(n, target):
    if not 1 / n < target < 1:
        raise ValueError("no such temperature")
    return 2 / abs(math.log((1 - target) * (n - 1) / target))


@wrong("an infinite temperature at 1/n, cold zero at 1")
def temperature_for(n, target):
    if target == 1:
        return 0.0
    if target == 1 / n:
        return math.inf
    if not 1 / n < target < 1:
        raise ValueError("no such temperature")
    return 2 / math.log(target * (n - 1) / (1 - target))


@wrong("a target of one half at least is asked for")
def temperature_for(n, target):
    if not 0.5 <= target < 1:
        raise ValueError("no such temperature")
    return 2 / math.log(target * (n - 1) / (1 - target))


@wrong("the best case has others at 0: τ = 1 / log x for score 1 against 0")
def temperature_for(n, target):
    if not 1 / n < target < 1:
        raise ValueError("no such temperature")
    return 1 / (math.log(target) - math.log((1 - target) / (n - 1)))


@right
def temperature_for(n, target):
    if target * n <= 1:
        raise ValueError(f"the weight cannot be as small as {target}")
    if target >= 1:
        raise ValueError(f"the weight cannot be as large as {target}")
    return 2 / (math.log(target) + math.log(n - 1) - math.log(1 - target))


@right
def temperature_for(n, target):
    def weight(sharpness):
        return 1 / (1 + (n - 1) * math.exp(-sharpness))

    if target <= 1 / n or target >= 1:
        raise ValueError("there is no such temperature")
    low, high = 0.0, 700.0
    for _ in range(200):
        middle = (low + high) / 2
        if weight(middle) < target:
            low = middle
        else:
            high = middle
    return 2 / low


@right
def temperature_for(n, target):
    possible = 1 / n < target and target < 1
    if not possible:
        raise ValueError
    odds = torch.tensor(target, dtype=torch.double).logit()
    return (2 / (odds + torch.tensor(n - 1.0, dtype=torch.double).log())).item()
