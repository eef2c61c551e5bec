"""Answers to exercise ``inverse_sigmoid``, as learners write them."""

import math

from answering import wrong


@wrong("After 100,000 steps it fails")
def inverse_sigmoid(step, rate):
    return rate / (rate + math.exp(step / rate))


@wrong("divided by 1 + exp")
def inverse_sigmoid(step, rate):
    return 1 - 1 / (1 + math.exp(-step / rate))


@wrong("sigmoid, which rises")
def inverse_sigmoid(step, rate):
    decay = math.exp(-step / rate)
    return rate / (rate + decay)


@wrong("exponential decay")
def inverse_sigmoid(step, rate):
    return math.exp(-1 / rate) ** step


@wrong("instead of i / k")
def inverse_sigmoid(step, rate):
    decay = math.exp(-step * rate)
    return 1 / (1 + 1 / (rate * decay)) if decay else 0.0


@wrong("one half")
def inverse_sigmoid(step, rate):
    return max(0.0, 1 - step / (10 * rate))
