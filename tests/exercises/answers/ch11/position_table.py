"""Answers to exercise ``position_table``, as learners write them."""

from answering import wrong


@wrong("they take turns")
def position_table(length, size):
    import torch

    t = torch.arange(length).view(-1, 1)
    angle = t / 10000 ** (torch.arange(0, size, 2) / size)
    return torch.hstack([torch.sin(angle), torch.cos(angle)])


@wrong("changed places")
def position_table(length, size):
    import torch

    out = torch.zeros(length, size)
    angle = torch.arange(length)[:, None] / 10000 ** (torch.arange(0, size, 2) / size)
    out[:, 0::2], out[:, 1::2] = torch.cos(angle), torch.sin(angle)
    return out


@wrong("count from 0")
def position_table(length, size):
    import torch

    out = torch.zeros(length, size)
    angle = torch.arange(1, length + 1)[:, None] / 10000 ** (torch.arange(0, size, 2) / size)
    out[:, 0::2], out[:, 1::2] = torch.sin(angle), torch.cos(angle)
    return out


@wrong("exponent has been doubled")
def position_table(length, size):
    import math

    import torch

    out = torch.zeros(length, size)
    for t in range(length):
        for i in range(0, size, 2):
            out[t, i] = math.sin(t / 10000 ** (2 * i / size))
            out[t, i + 1] = math.cos(t / 10000 ** (2 * i / size))
    return out


@wrong("different speeds")
def position_table(length, size):
    import math

    import torch

    rows = [
        [(math.cos if i % 2 else math.sin)(t / 10000 ** (i / size)) for i in range(size)]
        for t in range(length)
    ]
    return torch.tensor(rows)


@wrong("divided by 10000")
def position_table(length, size):
    import torch

    out = torch.zeros(length, size)
    angle = torch.arange(length)[:, None] * 10000 ** (torch.arange(0, size, 2) / size)
    out[:, 0::2], out[:, 1::2] = torch.sin(angle), torch.cos(angle)
    return out
