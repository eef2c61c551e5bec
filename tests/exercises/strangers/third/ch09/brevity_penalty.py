import math

import numpy as np
from answering import right, wrong


@wrong("the long ones are punished: the comparison is the wrong way round")
def brevity_penalty(hypothesis_length, reference_length):
    if hypothesis_length == 0:
        return 0.0
    if hypothesis_length <= reference_length:
        return 1.0
    return math.exp(1 - hypothesis_length / reference_length)


@wrong("nothing said gets 1")
def brevity_penalty(hypothesis_length, reference_length):
    if hypothesis_length == 0 or hypothesis_length >= reference_length:
        return 1.0
    return math.exp(1 - reference_length / hypothesis_length)


@wrong("the bare ratio c/r")
def brevity_penalty(hypothesis_length, reference_length):
    if hypothesis_length == 0:
        return 0.0
    return min(1.0, hypothesis_length / reference_length)


@wrong("the 1 is forgotten in the exponent")
def brevity_penalty(hypothesis_length, reference_length):
    if hypothesis_length == 0:
        return 0.0
    if hypothesis_length >= reference_length:
        return 1.0
    return math.exp(-reference_length / hypothesis_length)


@wrong("the sign: r/c − 1, above 1 for short ones")
def brevity_penalty(hypothesis_length, reference_length):
    if hypothesis_length == 0:
        return 0.0
    if hypothesis_length >= reference_length:
        return 1.0
    return math.exp(reference_length / hypothesis_length - 1)


@wrong("in percent")
def brevity_penalty(hypothesis_length, reference_length):
    if hypothesis_length == 0:
        return 0.0
    return 100 * min(1.0, math.exp(1 - reference_length / hypothesis_length))


@right
def brevity_penalty(hypothesis_length, reference_length):
    if not hypothesis_length:
        return 0.0
    return min(1.0, math.exp(1 - reference_length / hypothesis_length))


@right
def brevity_penalty(hypothesis_length, reference_length):
    try:
        missing = max(0, reference_length - hypothesis_length) / hypothesis_length
    except ZeroDivisionError:
        return 0.0
    return float(np.exp(-missing))
