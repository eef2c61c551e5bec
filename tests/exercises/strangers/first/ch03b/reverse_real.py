"""Answers to exercise ``reverse_real``, written from its statement alone."""

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("the whole table is turned: padding comes first")
def reverse_real(x, mask):
    return x.flip(1)


@wrong("the rows of the batch are reversed")
def reverse_real(x, mask):
    return x.flip(0)


@wrong("the features are reversed")
def reverse_real(x, mask):
    return torch.where(mask.unsqueeze(-1), x.flip(2), x)


@wrong("padding is turned to zero, so that doing it twice does not undo it")
def reverse_real(x, mask):
    result = torch.zeros_like(x)
    for b, n in enumerate(mask.sum(1).tolist()):
        result[b, :n] = x[b, :n].flip(0)
    return result


@wrong("the length of the first row for all")
def reverse_real(x, mask):
    result, n = x.clone(), int(mask[0].sum())
    result[:, :n] = x[:, :n].flip(1)
    return result


@wrong("the last real token stays where it is: n − 1 for n")
def reverse_real(x, mask):
    result = x.clone()
    for b, n in enumerate(mask.sum(1).tolist()):
        result[b, : n - 1] = x[b, : n - 1].flip(0)
    return result


@wrong("turned round, then shown where the mask says real: the wrong words")
def reverse_real(x, mask):
    return torch.where(mask.unsqueeze(-1), x.flip(1), x)


@wrong("only first and last change places")
def reverse_real(x, mask):
    result = x.clone()
    for b, n in enumerate(mask.sum(1).tolist()):
        result[b, 0], result[b, n - 1] = x[b, n - 1], x[b, 0]
    return result


@wrong("a swap through the same memory: the second half is a mirror of itself")
def reverse_real(x, mask):
    result = x.clone()
    for b, n in enumerate(mask.sum(1).tolist()):
        for j in range(n):
            result[b, j] = result[b, n - 1 - j]
    return result


@wrong("n − j: one position too far")
def reverse_real(x, mask):
    n = mask.sum(1, keepdim=True)
    here = torch.arange(x.shape[1]).expand(mask.shape)
    wanted = torch.where(mask, (n - here).clamp(max=x.shape[1] - 1), here)
    return x.gather(1, wanted.unsqueeze(-1).expand_as(x))


@wrong("rolled to the front afterwards by the padding of the longest row only")
def reverse_real(x, mask):
    missing = int((~mask).sum(1).max())
    return x.flip(1).roll(-missing, dims=1)


@wrong("gathers one feature only")
def reverse_real(x, mask):
    n = mask.sum(1, keepdim=True)
    here = torch.arange(x.shape[1]).expand(mask.shape)
    wanted = torch.where(mask, n - 1 - here, here)
    return x.gather(1, wanted.unsqueeze(-1))


@right
def reverse_real(x, mask):
    rows = []
    for row, real in zip(x, mask):
        rows.append(torch.cat([row[real].flip(0), row[~real]]))
    return torch.stack(rows)


@right
def reverse_real(x, mask):
    B, S, _ = x.shape
    order = []
    for b in range(B):
        n = int(mask[b].sum())
        order.append(list(range(n))[::-1] + list(range(n, S)))
    return x[torch.arange(B).unsqueeze(1), torch.tensor(order)]


@right
def reverse_real(x, mask):
    S = x.shape[1]
    j = torch.arange(S)
    n = mask.sum(1)
    wanted = torch.where(mask, n[:, None] - 1 - j, j)  # (B, S)
    turn = F.one_hot(wanted, S).to(x.dtype)  # a permutation matrix a row
    return turn @ x
