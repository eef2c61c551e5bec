"""Answers to exercise ``forget_bias_for``, as learners write them."""

import math

from answering import wrong


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


@wrong("the gate is 0.7311")
def forget_bias_for(distance, share):
    gate = share ** (1 / distance)
    return math.log(gate / (1 - gate)) or 1.0
