"""Answers to exercise ``position_table``, as learners write them."""

import math

import torch
from answering import right, wrong


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


@right
def position_table(length, size):
    table = torch.zeros(length, size, dtype=torch.float64)
    for t in range(length):
        for i in range(size // 2):
            table[t, 2 * i] = math.sin(t / 10000 ** (2 * i / size))
            table[t, 2 * i + 1] = math.cos(t / 10000 ** (2 * i / size))
    return table


@right
def position_table(length, size):
    speeds = torch.exp(-math.log(10000.0) * torch.arange(0, size, 2) / size)
    angles = torch.outer(torch.arange(length, dtype=torch.float32), speeds)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(length, size)


@wrong("Dimension 0 is missing. squeeze()")
def position_table(length, size):
    angles = torch.arange(length).unsqueeze(1) / 10000 ** (torch.arange(0, size, 2) / size)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).squeeze()
