"""Answers to exercise ``temperature_for``, as learners write them."""

import math

from answering import wrong


@wrong("It raises ValueError: less than a half")
def temperature_for(n, target):
    if target <= 1 / n or target >= 1:
        raise ValueError("impossible")
    if target < 0.5:
        raise ValueError("less than a half")
    return 2 / math.log(target * (n - 1) / (1 - target))
