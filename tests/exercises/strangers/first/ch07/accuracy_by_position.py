"""Answers to exercise ``accuracy_by_position``, written from its statement alone."""

import math

import torch
from answering import right, wrong


@wrong("the mask is ignored")
def accuracy_by_position(written, gold, mask):
    return (written == gold).float().mean(0)


@wrong("divided by all sentences, also those that have ended")
def accuracy_by_position(written, gold, mask):
    return ((written == gold) & mask).float().mean(0)


@wrong("one number a sentence: summed along the positions")
def accuracy_by_position(written, gold, mask):
    return ((written == gold) & mask).sum(1) / mask.sum(1)


@wrong("one number for the whole batch")
def accuracy_by_position(written, gold, mask):
    return ((written == gold) & mask).sum() / mask.sum()


@wrong("the mask is multiplied in before comparing, so padding always agrees")
def accuracy_by_position(written, gold, mask):
    same = (written * mask) == (gold * mask)
    return same.float().mean(0)


@wrong("a mistake spoils all later positions of its sentence")
def accuracy_by_position(written, gold, mask):
    right = ((written == gold) & mask).long().cumprod(1)
    return right.sum(0) / mask.sum(0)


@wrong("the share of wrong tokens")
def accuracy_by_position(written, gold, mask):
    return ((written != gold) & mask).sum(0) / mask.sum(0)


@right
def accuracy_by_position(written, gold, mask):
    shares = []
    for t in range(gold.shape[1]):
        right = real = 0
        for b in range(gold.shape[0]):
            if mask[b, t]:
                real += 1
                if written[b, t] == gold[b, t]:
                    right += 1
        shares.append(right / real)
    return torch.tensor(shares)


@right
def accuracy_by_position(written, gold, mask):
    right = written.eq(gold).float()
    return right.masked_fill(~mask, math.nan).nanmean(dim=0)
