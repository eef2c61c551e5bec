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
