"""Answers to exercise ``inverse_sigmoid``, as learners write them."""

import math

import numpy as np
import torch
from answering import right, wrong


@wrong("After 100,000 steps it fails")
def inverse_sigmoid(step, rate):
    return rate / (rate + math.exp(step / rate))


@wrong("divided by 1 + exp")
def inverse_sigmoid(step, rate):
    return 1 - 1 / (1 + math.exp(-step / rate))


@wrong("instead of i / k")
def inverse_sigmoid(step, rate):
    decay = math.exp(-step * rate)
    return 1 / (1 + 1 / (rate * decay)) if decay else 0.0


@wrong("k / (k + exp(i/k)) is 0.5, and 1 is returned")
def inverse_sigmoid(step, rate):
    return max(0.0, 1 - step / (10 * rate))


@right
def inverse_sigmoid(step, rate):
    if step / rate > 700:
        return 0
    return np.float64(rate / (rate + np.exp(step / rate)))


@right
def inverse_sigmoid(step, rate):
    x = torch.tensor(math.log(rate) - step / rate, dtype=torch.float64)
    return torch.sigmoid(x)
