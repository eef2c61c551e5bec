"""Answers to exercise ``reverse_real``, as learners write them."""

import torch
from answering import right, wrong


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


@wrong("were its tokens written over before they were read")
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


@wrong("below 0 at padding")
def reverse_real(x, mask):
    order = mask.sum(1, keepdim=True) - 1 - torch.arange(x.shape[1])
    return x.gather(1, order.unsqueeze(-1).expand_as(x))


@wrong("The sentences of the batch change places")
def reverse_real(x, mask):
    return x.flip(dims=(0,))


@wrong("as far as the first one is long")
def reverse_real(x, mask):
    n = int(mask[0].sum())
    return torch.cat([x[:, :n].flip(1), x[:, n:]], dim=1)


@wrong("The last real token stays where it is")
def reverse_real(x, mask):
    out = x.clone()
    for b, n in enumerate(mask.sum(1).tolist()):
        out[b, : n - 1] = x[b, : n - 1].flip(0)
    return out


@wrong("there stands padding now")
def reverse_real(x, mask):
    return torch.where(mask[..., None], torch.flip(x, [1]), x)


@wrong("Only the first and the last real token change places")
def reverse_real(x, mask):
    out = x.clone()
    for row, before, n in zip(out, x, mask.sum(1).tolist()):
        row[0], row[n - 1] = before[n - 1], before[0]
    return out


@wrong("Row 0 has 3 real tokens. Its position 0 holds what stood at position 1")
def reverse_real(x, mask):
    out = x.clone()
    for b, n in enumerate(mask.sum(1).tolist()):
        order = [j ^ 1 if j ^ 1 < n else j for j in range(n)]  # pairs change places
        out[b, :n] = x[b, order]
    return out


@wrong("its index must be as wide as x")
def reverse_real(x, mask):
    j = torch.arange(x.shape[1]).repeat(len(x), 1)
    source = torch.where(mask, mask.sum(1, keepdim=True) - 1 - j, j)
    return x.gather(1, source[..., None])


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
