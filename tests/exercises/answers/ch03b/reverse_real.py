"""Answers to exercise ``reverse_real``, as learners write them."""

import torch
from answering import right, wrong


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


@right
def reverse_real(x, mask):
    out = []
    for row, n in zip(x.double(), mask.sum(1).tolist()):
        out.append(torch.stack([row[n - 1 - j] if j < n else row[j] for j in range(len(row))]))
    return torch.stack(out)


@right
def reverse_real(x, mask):
    j = torch.arange(x.shape[1])
    wanted = torch.where(mask, (~mask * 99 + j).argsort(1).flip(1).roll(0), j)
    n = mask.sum(1, keepdim=True)
    return x.take_along_dim(torch.where(mask, n - 1 - j, wanted)[..., None], dim=1)
