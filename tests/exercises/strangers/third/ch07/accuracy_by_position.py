import math

import torch
from answering import right, wrong


@wrong("a prefix has to be right: a mistake makes all later positions wrong")
def accuracy_by_position(written, gold, mask):
    right_so_far = ((written == gold) | ~mask).long().cumprod(1).bool()
    return (right_so_far & mask).sum(0) / mask.sum(0)


@wrong("the running accuracy of all positions up to this one")
def accuracy_by_position(written, gold, mask):
    hits = ((written == gold) & mask).sum(0).cumsum(0)
    return hits / mask.sum(0).cumsum(0)


@wrong("the mask is used the wrong way round above the line")
def accuracy_by_position(written, gold, mask):
    return ((written == gold) & ~mask).sum(0) / mask.sum(0)


@right
def accuracy_by_position(written, gold, mask):
    shares = []
    for w, g, real in zip(written.T, gold.T, mask.T):
        shares.append((w[real] == g[real]).float().mean())
    return torch.stack(shares)


@right
def accuracy_by_position(written, gold, mask):
    hits = torch.where(mask, written.eq(gold).double(), math.nan)
    return hits.nanmean(dim=0).float()
