"""Answers to exercise ``inverse_sigmoid``, written from its statement alone."""

import math

import torch
from answering import right, wrong


@wrong("k is lost in the numerator when the fraction is turned")
def inverse_sigmoid(step, rate):
    small = math.exp(-step / rate)
    return small / (rate * small + 1)


@wrong("k is lost before the exponential")
def inverse_sigmoid(step, rate):
    small = math.exp(-step / rate)
    return small / (small + 1)


@wrong("whole-number division in the exponent")
def inverse_sigmoid(step, rate):
    small = math.exp(-(step // rate))
    return rate * small / (rate * small + 1)


@wrong("multiplied by the rate in the exponent, as in the exponential schedule")
def inverse_sigmoid(step, rate):
    small = math.exp(-step * rate)
    return rate * small / (rate * small + 1)


@wrong("the share of own words: one minus ε")
def inverse_sigmoid(step, rate):
    small = math.exp(-step / rate)
    return 1 / (rate * small + 1)


@wrong("the plain sigmoid of step / rate falls from one half")
def inverse_sigmoid(step, rate):
    return torch.sigmoid(torch.tensor(-step / rate)).item()


@wrong("the exponential schedule, rate ** step")
def inverse_sigmoid(step, rate):
    return (1 - 1 / rate) ** step


@right
def inverse_sigmoid(step, rate):
    try:
        return rate / (rate + math.exp(step / rate))
    except OverflowError:
        return 0.0


@right
def inverse_sigmoid(step, rate):
    x = torch.tensor(math.log(rate) - step / rate, dtype=torch.float64)
    return float(torch.sigmoid(x))
