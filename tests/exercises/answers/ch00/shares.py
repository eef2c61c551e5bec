"""Answers to exercise ``shares``, as learners write them."""

import torch
from answering import right, wrong


@wrong("The largest share is 1")
def shares(amounts):
    return amounts / max(amounts)


@wrong("This is the mean")
def shares(amounts):
    return amounts / amounts.numel()


@wrong("This is the softmax")
def shares(amounts):
    return amounts.exp() / amounts.exp().sum()


@wrong("This is the sum itself")
def shares(amounts):
    return amounts.sum()


@wrong("These are hundredths")
def shares(amounts):
    return 100 * amounts / amounts.sum()


@wrong("amounts was changed")
def shares(amounts):
    amounts /= amounts.sum()
    return amounts


@wrong("This divides by the length of the vector, the root of the sum of")
def shares(amounts):
    return amounts / (amounts**2).sum().sqrt()


@wrong("The argument amounts was changed by the call.")
def shares(amounts):
    amounts /= amounts.sum()
    return amounts


@wrong("These are hundredths, which sum to 100.")
def shares(amounts):
    return 100 * amounts / amounts.sum()


@wrong("Only the first two amounts are added up.")
def shares(amounts):
    return amounts / (amounts[0] + amounts[1])


@wrong("The sum is taken anew after amounts before it have become shares.")
def shares(amounts):
    result = amounts.clone()
    for i in range(len(result)):
        result[i] = result[i] / result.sum()
    return result


@wrong("Each amount is divided by the sum of the *others*.")
def shares(amounts):
    return amounts / (amounts.sum() - amounts)


@wrong("These are running sums of the shares.")
def shares(amounts):
    return amounts.cumsum(0) / amounts.sum()


@right
def shares(amounts):
    whole = sum(float(amount) for amount in amounts)
    return torch.tensor([float(amount) / whole for amount in amounts])


@right
def shares(amounts):
    return amounts * (1 / amounts.sum())


@right
def shares(amounts):
    exact = amounts.double()
    return exact / exact.sum(dim=0, keepdim=True)
