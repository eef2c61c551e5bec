"""Answers to exercise ``shares``, written from its statement alone."""

import torch
from answering import wrong


@wrong("divides by the largest amount, not by the sum")
def shares(amounts):
    return amounts / amounts.max()


@wrong("divides by how many there are")
def shares(amounts):
    return amounts / len(amounts)


@wrong("takes a softmax where a ratio is wanted")
def shares(amounts):
    return torch.softmax(amounts.float(), dim=0)
