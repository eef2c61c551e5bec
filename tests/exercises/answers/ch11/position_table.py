"""Answers to exercise ``position_table``, as learners write them."""

import torch
from answering import wrong


@wrong("they take turns")
def position_table(length, size):
    t = torch.arange(length).view(-1, 1)
    angle = t / 10000 ** (torch.arange(0, size, 2) / size)
    return torch.hstack([torch.sin(angle), torch.cos(angle)])


@wrong("changed places")
def position_table(length, size):
    out = torch.zeros(length, size)
    angle = torch.arange(length)[:, None] / 10000 ** (torch.arange(0, size, 2) / size)
    out[:, 0::2], out[:, 1::2] = torch.cos(angle), torch.sin(angle)
    return out


@wrong("The base is 1000 here")
def position_table(length, size):
    angles = torch.arange(length).unsqueeze(1) / 1000 ** (torch.arange(0, size, 2) / size)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


@wrong("Dimension 0 is missing. squeeze()")
def position_table(length, size):
    angles = torch.arange(length).unsqueeze(1) / 10000 ** (torch.arange(0, size, 2) / size)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).squeeze()
