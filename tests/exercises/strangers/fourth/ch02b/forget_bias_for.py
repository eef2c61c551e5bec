import math

import torch
from answering import right, wrong


@wrong("share to the power of the distance, not its root")
def forget_bias_for(distance, share):
    f = share**distance
    return math.log(f / (1 - f))


@wrong("the logarithm of the gate alone")
def forget_bias_for(distance, share):
    f = share ** (1 / distance)
    return math.log(f)


@wrong("the fraction upside down: the bias has the wrong sign")
def forget_bias_for(distance, share):
    f = share ** (1 / distance)
    return math.log((1 - f) / f)


@wrong("the sigmoid is applied once more instead of undone")
def forget_bias_for(distance, share):
    f = share ** (1 / distance)
    return 1 / (1 + math.exp(-f))


@wrong("parentheses: f / 1 − f is 0, and has no logarithm")
def forget_bias_for(distance, share):
    f = share ** (1 / distance)
    return math.log(f / 1 - f)


@wrong("parentheses: share ** 1 / distance is share divided by distance")
def forget_bias_for(distance, share):
    f = share**1 / distance
    return math.log(f / (1 - f))


@wrong("the logarithm of the numerator only, divided by 1 − f")
def forget_bias_for(distance, share):
    f = share ** (1 / distance)
    return math.log(f) / (1 - f)


@wrong("a logarithm to base 10")
def forget_bias_for(distance, share):
    f = share ** (1 / distance)
    return math.log10(f / (1 - f))


@wrong("undoes a tanh, not a sigmoid")
def forget_bias_for(distance, share):
    f = share ** (1 / distance)
    return math.atanh(f)


@wrong("one step too few: the distance counts the first input, too")
def forget_bias_for(distance, share):
    f = share ** (1 / (distance - 1))
    return math.log(f / (1 - f))


@wrong("a half always: share is not used")
def forget_bias_for(distance, share):
    f = 0.5 ** (1 / distance)
    return math.log(f / (1 - f))


@wrong("tries whole biases only")
def forget_bias_for(distance, share):
    bias = 0
    while (1 / (1 + math.exp(-bias))) ** distance < share:
        bias += 1
    return bias


@wrong("tries biases from 0 up in steps of a hundredth: never a negative one")
def forget_bias_for(distance, share):
    best = min(
        range(2000),
        key=lambda n: abs((1 / (1 + math.exp(-n / 100))) ** distance - share),
    )
    return best / 100


@wrong("the bias is printed, and nothing returned")
def forget_bias_for(distance, share):
    f = share ** (1 / distance)
    print(math.log(f / (1 - f)))


@right
def forget_bias_for(distance, share):
    gate = math.exp(math.log(share) / distance)
    return math.log(gate) - math.log(1 - gate)


@right
def forget_bias_for(distance, share):
    f = torch.tensor(share, dtype=torch.double) ** (1 / distance)
    return torch.logit(f).item()


@right
def forget_bias_for(distance, share):
    low, high = -50.0, 50.0
    for _ in range(200):
        middle = (low + high) / 2
        if (1 / (1 + math.exp(-middle))) ** distance < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2
