"""Answers to exercise ``lengths_to_mask``, as learners write them."""

import torch
from answering import right, wrong


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


@wrong("A mask is boolean")
def lengths_to_mask(lengths, size=None):
    size = size or int(lengths.max())
    rows = [[1] * int(n) + [0] * (size - int(n)) for n in lengths]
    return torch.tensor(rows)


@wrong("One position too few")
def lengths_to_mask(lengths, size=None):
    size = size or int(lengths.max())
    return torch.arange(size) < lengths.unsqueeze(1) - 1


@wrong("A row of length 0 has 5")
def lengths_to_mask(lengths, size=None):
    size = int(lengths.max()) if size is None else size
    mask = torch.ones(len(lengths), size, dtype=torch.bool)
    for row, length in enumerate(lengths.tolist()):
        if 0 < length < size:
            mask[row, length - size :] = False
    return mask


@wrong("In a row of length 1 the positions [2] are marked")
def lengths_to_mask(lengths, size=None):
    size = int(lengths.max()) if size is None else size
    mask = torch.zeros(len(lengths), size, dtype=torch.bool)
    for row, length in enumerate(lengths.tolist()):
        mask[row, : max(length - 1, 0)] = True
        mask[row, size - 1] = length > 0
    return mask


@wrong("as wide as there are rows")
def lengths_to_mask(lengths, size=None):
    size = size or len(lengths)
    return torch.arange(size)[None] < lengths[:, None]


@wrong("the first row's length")
def lengths_to_mask(lengths, size=None):
    size = size or int(lengths[0])
    return torch.arange(size)[None] < lengths[:, None]


@wrong("one column more")
def lengths_to_mask(lengths, size=None):
    size = size or int(lengths.max()) + 1
    return torch.arange(size)[None] < lengths[:, None]


@right
def lengths_to_mask(lengths, size=None):
    size = lengths.numpy().max() if size is None else size
    return torch.from_numpy(lengths.numpy()[:, None] > range(size))


@right
def lengths_to_mask(lengths, size=None):
    size = int(lengths.max()) if size is None else size
    return torch.tensor([[True] * n + [False] * (size - n) for n in lengths.tolist()])
