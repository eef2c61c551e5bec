import torch
from answering import right, wrong


@wrong("positions counted from 1 with <: the last real token is masked")
def lengths_to_mask(lengths, size=None):
    size = int(lengths.max()) if size is None else size
    return torch.arange(1, size + 1) < lengths.unsqueeze(1)


@wrong("<= instead of <: one position of padding counts as real")
def lengths_to_mask(lengths, size=None):
    size = int(lengths.max()) if size is None else size
    return torch.arange(size) <= lengths.unsqueeze(1)


@wrong("True at the padding, False at the words")
def lengths_to_mask(lengths, size=None):
    size = int(lengths.max()) if size is None else size
    return torch.arange(size) >= lengths.unsqueeze(1)


@wrong("the table is (S, B): the positions got the new dimension")
def lengths_to_mask(lengths, size=None):
    size = int(lengths.max()) if size is None else size
    return torch.arange(size).unsqueeze(1) < lengths


@wrong("zeros and ones of floats, not booleans")
def lengths_to_mask(lengths, size=None):
    size = int(lengths.max()) if size is None else size
    return (torch.arange(size) < lengths.unsqueeze(1)).float()


@wrong("the size is not used: always as wide as the longest")
def lengths_to_mask(lengths, size=None):
    return torch.arange(int(lengths.max())) < lengths.unsqueeze(1)


@wrong("without a size, as wide as there are rows")
def lengths_to_mask(lengths, size=None):
    size = len(lengths) if size is None else size
    return torch.arange(size) < lengths.unsqueeze(1)


@wrong("writes up to lengths[b] - 1, and a length of 0 gives a slice that ends at -1")
def lengths_to_mask(lengths, size=None):
    size = int(lengths.max()) if size is None else size
    mask = torch.zeros(len(lengths), size, dtype=torch.bool)
    for b, length in enumerate(lengths.tolist()):
        mask[b, : length - 1] = True
        mask[b, length - 1] = True
    return mask


@wrong("the padding is put in front: the last positions are the real ones")
def lengths_to_mask(lengths, size=None):
    size = int(lengths.max()) if size is None else size
    return torch.arange(size) >= size - lengths.unsqueeze(1)


@wrong("the longest length plus one when no size is given")
def lengths_to_mask(lengths, size=None):
    size = int(lengths.max()) + 1 if size is None else size
    return torch.arange(size) < lengths.unsqueeze(1)


@right
def lengths_to_mask(lengths, size=None):
    if size is None:
        size = max(lengths.tolist())
    rows = [[True] * n + [False] * (size - n) for n in lengths.tolist()]
    return torch.tensor(rows, dtype=torch.bool).reshape(len(rows), size)


@right
def lengths_to_mask(lengths, size=None):
    if size is None:
        size = int(lengths.amax())
    mask = torch.ones(lengths.shape[0], size, dtype=torch.long).cumsum(1)
    return mask.le(lengths[:, None])
