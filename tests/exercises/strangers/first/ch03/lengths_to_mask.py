"""Answers to exercise ``lengths_to_mask``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("one position too many: ≤ where < is meant")
def lengths_to_mask(lengths, size=None):
    size = int(lengths.max()) if size is None else size
    return torch.arange(size) <= lengths.unsqueeze(1)


@wrong("True means padding")
def lengths_to_mask(lengths, size=None):
    size = int(lengths.max()) if size is None else size
    return torch.arange(size) >= lengths.unsqueeze(1)


@wrong("positions counted from 1")
def lengths_to_mask(lengths, size=None):
    size = int(lengths.max()) if size is None else size
    return torch.arange(1, size + 1) < lengths.unsqueeze(1)


@wrong("rows and columns exchanged: (S, B)")
def lengths_to_mask(lengths, size=None):
    size = int(lengths.max()) if size is None else size
    return torch.arange(size).unsqueeze(1) < lengths


@wrong("size is ignored")
def lengths_to_mask(lengths, size=None):
    return torch.arange(int(lengths.max())) < lengths.unsqueeze(1)


@wrong("without a size there are as many columns as rows")
def lengths_to_mask(lengths, size=None):
    size = len(lengths) if size is None else size
    return torch.arange(size) < lengths.unsqueeze(1)


@wrong("ones and zeros, not booleans")
def lengths_to_mask(lengths, size=None):
    size = int(lengths.max()) if size is None else size
    return (torch.arange(size) < lengths.unsqueeze(1)).long()


@wrong("the real ones stand at the end")
def lengths_to_mask(lengths, size=None):
    size = int(lengths.max()) if size is None else size
    return torch.arange(size) >= size - lengths.unsqueeze(1)


@wrong("only the last real position is marked")
def lengths_to_mask(lengths, size=None):
    size = int(lengths.max()) if size is None else size
    return torch.arange(size) == lengths.unsqueeze(1) - 1


@wrong("a row of length 0 ends up full: minus nothing is everything")
def lengths_to_mask(lengths, size=None):
    size = int(lengths.max()) if size is None else size
    mask = torch.ones(len(lengths), size, dtype=torch.bool)
    for row, length in enumerate(lengths.tolist()):
        missing = size - length
        if missing > 0 and length > 0:
            mask[row, -missing:] = False
    return mask


@wrong("the size is the length of the first row")
def lengths_to_mask(lengths, size=None):
    size = int(lengths[0]) if size is None else size
    return torch.arange(size) < lengths.unsqueeze(1)


@wrong("one column more than the longest row")
def lengths_to_mask(lengths, size=None):
    size = int(lengths.max()) + 1 if size is None else size
    return torch.arange(size) < lengths.unsqueeze(1)


@right
def lengths_to_mask(lengths, size=None):
    S = size or int(max(lengths))
    rows = [[j < n for j in range(S)] for n in lengths.tolist()]
    return torch.tensor(rows, dtype=torch.bool).view(len(lengths), S)


@right
def lengths_to_mask(lengths, size=None):
    if size is None:
        size = lengths.max().item()
    mask = torch.zeros(lengths.shape[0], size, dtype=torch.bool)
    for b in range(lengths.shape[0]):
        mask[b, : lengths[b]] = True
    return mask


@right
def lengths_to_mask(lengths, size=None):
    size = lengths.max() if size is None else size
    position = torch.arange(int(size)).expand(len(lengths), -1)
    return lengths[:, None] - position > 0
