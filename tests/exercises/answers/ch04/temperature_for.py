"""Answers to exercise ``temperature_for``, as learners write them."""

import math

from answering import wrong


@wrong("This is 1/τ")
def temperature_for(n, target):
    x = target * (n - 1) / (1 - target)
    return math.log(x) / 2


@wrong("Here it is 1")
def temperature_for(n, target):
    x = target * (n - 1) / (1 - target)
    return 1 / math.log(x)


@wrong("All n keys are counted")
def temperature_for(n, target):
    odds = target / (1 - target)
    return 2 / math.log(odds * n)


@wrong("must be the natural one")
def temperature_for(n, target):
    if target <= 1 / n or target >= 1:
        raise ValueError("impossible")
    return 2 / math.log(target * (n - 1) / (1 - target), 10)


@wrong("upside down")
def temperature_for(n, target):
    return -2 / math.log(target * (n - 1) / (1 - target))


@wrong("Raise a ValueError with a sentence of your own")
def temperature_for(n, target):
    return 2 / math.log(target * (n - 1) / (1 - target))


@wrong("no temperature gives the weight")
def temperature_for(n, target):
    if target >= 1:
        raise ValueError("target must be less than 1")
    return 2 / math.log(target * (n - 1) / (1 - target))


@wrong("A temperature is positive")
def temperature_for(n, target):
    if not 1 / n < target < 1:
        raise ValueError("no such temperature")
    return 2 / math.log(target * (n - 1))
