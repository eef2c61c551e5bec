"""Answers to exercise ``lengths_to_mask``, as learners write them."""

import torch
from answering import wrong


@wrong("the wrong way round")
def lengths_to_mask(lengths, size=None):
    size = size or int(lengths.max())
    mask = torch.zeros(len(lengths), size, dtype=torch.bool)
    for b, n in enumerate(lengths.tolist()):
        mask[b, n:] = True
    return mask


@wrong("One position too many")
def lengths_to_mask(lengths, size=None):
    size = size or int(lengths.max())
    return torch.stack([torch.arange(size) <= n for n in lengths])


@wrong("Only the last real token")
def lengths_to_mask(lengths, size=None):
    size = size or lengths.max().item()
    mask = torch.zeros(len(lengths), size, dtype=torch.bool)
    mask[range(len(lengths)), lengths - 1] = True
    return mask


@wrong("size is not used")
def lengths_to_mask(lengths, size=None):
    n = int(lengths.max())
    return torch.arange(n).expand(len(lengths), n) < lengths.view(-1, 1)


@wrong("The padding stands in front")
def lengths_to_mask(lengths, size=None):
    size = size or int(lengths.max())
    rows = [[0] * (size - int(n)) + [1] * int(n) for n in lengths]
    return torch.tensor(rows).bool()


@wrong("where booleans are expected")
def lengths_to_mask(lengths, size=None):
    size = size or int(lengths.max())
    rows = [[1] * int(n) + [0] * (size - int(n)) for n in lengths]
    return torch.tensor(rows)


@wrong("real positions in the mask")
def lengths_to_mask(lengths, size=None):
    size = size or int(lengths.max())
    return torch.arange(size) < lengths.unsqueeze(1) - 1
