"""Answers to exercise ``masked_loss``, as learners write them."""

import torch
from answering import wrong
from torch.nn import functional as F


@wrong("Padding is in the mean")
def masked_loss(logits, target, mask):
    return F.cross_entropy(logits.flatten(0, 1), target.flatten())


@wrong("divide by the number of all positions")
def masked_loss(logits, target, mask):
    losses = F.cross_entropy(logits.flatten(0, 1), target.flatten(), reduction="none")
    return (losses * mask.flatten()).sum() / mask.numel()


@wrong("a token of a short sentence counts more")
def masked_loss(logits, target, mask):
    rows = [F.cross_entropy(z[m], y[m]) for z, y, m in zip(logits, target, mask)]
    return sum(rows) / len(rows)


@wrong("By how many tokens is the sum divided?")
def masked_loss(logits, target, mask):
    return F.cross_entropy(logits[mask], target[mask], reduction="sum") / target.shape[1]


@wrong("The losses (−log p) of the real tokens are")
def masked_loss(logits, target, mask):
    return F.cross_entropy(logits[mask], target[mask]) / torch.log(torch.tensor(2.0))  # bits


@wrong("No gradient comes back")
def masked_loss(logits, target, mask):
    return torch.tensor(F.cross_entropy(logits[mask], target[mask]).item())
