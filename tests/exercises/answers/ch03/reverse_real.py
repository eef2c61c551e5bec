"""Answers to exercise ``reverse_real``, as learners write them."""

import torch
from answering import wrong


@wrong("so that padding comes first")
def reverse_real(x, mask):
    return torch.flip(x, dims=[1])


@wrong("some real tokens are gone")
def reverse_real(x, mask):
    turned = torch.flip(x, dims=[1])
    return turned.masked_fill(~mask[:, :, None], 0.0)


@wrong("The features of each token are reversed")
def reverse_real(x, mask):
    return torch.flip(x, dims=[2])


@wrong("the padding is not as it was")
def reverse_real(x, mask):
    out = torch.zeros_like(x)
    for b, n in enumerate(mask.sum(1).tolist()):
        out[b, :n] = x[b, :n].flip(0)
    return out


@wrong("Reversed twice")
def reverse_real(x, mask):
    out = x.clone()
    for b, n in enumerate(mask.sum(1).tolist()):
        for j in range(n):
            out[b, j] = out[b, n - 1 - j]
    return out


@wrong("was changed by the call")
def reverse_real(x, mask):
    for b, n in enumerate(mask.sum(1).tolist()):
        x[b, :n] = x[b, :n].flip(0)
    return x


@wrong("out of bounds")
def reverse_real(x, mask):
    order = mask.sum(1, keepdim=True) - 1 - torch.arange(x.shape[1])
    return x.gather(1, order.unsqueeze(-1).expand_as(x))
