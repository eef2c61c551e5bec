"""Answers to exercise ``reverse_real``, as learners write them."""

import torch
from answering import wrong


@wrong("Its position 0 holds what stood at 3 before")
def reverse_real(x, mask):
    return torch.flip(x, dims=[1])


@wrong("The features of each token are reversed")
def reverse_real(x, mask):
    return torch.flip(x, dims=[2])


@wrong("was changed by the call")
def reverse_real(x, mask):
    for b, n in enumerate(mask.sum(1).tolist()):
        x[b, :n] = x[b, :n].flip(0)
    return x


@wrong("The sentences of the batch change places")
def reverse_real(x, mask):
    return x.flip(dims=(0,))
