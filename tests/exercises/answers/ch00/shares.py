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


@wrong("] sum to 100.00.")
def shares(amounts):
    return 100 * amounts / amounts.sum()


@right
def shares(amounts):
    whole = sum(float(amount) for amount in amounts)
    return torch.tensor([float(amount) / whole for amount in amounts])


@right
def shares(amounts):
    return amounts * (1 / amounts.sum())
