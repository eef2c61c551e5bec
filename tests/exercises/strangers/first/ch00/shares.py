"""Answers to exercise ``shares``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("divides by the largest amount, not by the sum")
def shares(amounts):
    return amounts / amounts.max()


@wrong("divides by how many there are")
def shares(amounts):
    return amounts / len(amounts)


@wrong("takes a softmax where a ratio is wanted")
def shares(amounts):
    return torch.softmax(amounts.float(), dim=0)


@wrong("divides by the Euclidean length")
def shares(amounts):
    return amounts / (amounts**2).sum().sqrt()


@wrong("works on the caller's tensor")
def shares(amounts):
    amounts /= amounts.sum()
    return amounts


@wrong("hundredths: percent instead of a share")
def shares(amounts):
    return 100 * amounts / amounts.sum()


@wrong("written for exactly two amounts")
def shares(amounts):
    return amounts / (amounts[0] + amounts[1])


@wrong("the sum is taken anew while the amounts before it are already shares")
def shares(amounts):
    result = amounts.clone()
    for i in range(len(result)):
        result[i] = result[i] / result.sum()
    return result


@wrong("divides by the sum of the others")
def shares(amounts):
    return amounts / (amounts.sum() - amounts)


@wrong("running shares: adds them up")
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
