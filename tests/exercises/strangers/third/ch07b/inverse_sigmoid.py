import math

import torch
from answering import right, wrong


@wrong("the sign of the exponent turned round only: it rises")
def inverse_sigmoid(step, rate):
    return rate / (rate + math.exp(-step / rate))


@wrong("an ordinary sigmoid of the step, without the k in front")
def inverse_sigmoid(step, rate):
    small = math.exp(-step / rate)
    return small / (1 + small)


@wrong("i · k in the exponent instead of i / k")
def inverse_sigmoid(step, rate):
    small = rate * math.exp(-step * rate)
    return small / (small + 1)


@wrong("whole-number division in the exponent")
def inverse_sigmoid(step, rate):
    small = rate * math.exp(-(step // rate))
    return small / (small + 1)


@wrong("1 − ε: it goes up")
def inverse_sigmoid(step, rate):
    return 1 / (1 + rate * math.exp(-step / rate))


@right
def inverse_sigmoid(step, rate):
    x = torch.tensor(math.log(rate) - step / rate, dtype=torch.double)
    return x.sigmoid().item()
