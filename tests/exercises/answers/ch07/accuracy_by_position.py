"""Answers to exercise ``accuracy_by_position``, as learners write them."""

import numpy as np
import torch
from answering import right, wrong


@wrong("When other words stand at padding")
def accuracy_by_position(written, gold, mask):
    return (written == gold).float().mean(dim=0)


@wrong("by the number of sentences")
def accuracy_by_position(written, gold, mask):
    right = torch.logical_and(written == gold, mask)
    return right.float().mean(0)


@wrong("real tokens at position 0: 2, right ones: 2")
def accuracy_by_position(written, gold, mask):
    return ((written == gold) & mask).sum(0) / mask.sum()


@wrong("After a first mistake")
def accuracy_by_position(written, gold, mask):
    return ((written == gold) & mask).long().cumprod(1).sum(0) / mask.sum(0)


@right
def accuracy_by_position(written, gold, mask):
    shares = []
    for t in range(gold.shape[1]):
        real = [b for b in range(len(gold)) if mask[b, t]]
        shares.append(sum(int(written[b, t]) == int(gold[b, t]) for b in real) / len(real))
    return torch.tensor(shares, dtype=torch.float64)


@right
def accuracy_by_position(written, gold, mask):
    right = np.where(mask.numpy(), written.numpy() == gold.numpy(), np.nan)
    return np.nanmean(right, axis=0)
