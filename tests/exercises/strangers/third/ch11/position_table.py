import math

import torch
from answering import right, wrong


@wrong("all sines in the left half, all cosines in the right one")
def position_table(length, size):
    table = torch.zeros(length, size)
    t = torch.arange(length).unsqueeze(1)
    speed = 1 / 10000 ** (torch.arange(0, size, 2) / size)
    table[:, : size // 2] = torch.sin(t * speed)
    table[:, size // 2 :] = torch.cos(t * speed)
    return table


@wrong("sines and cosines are swapped")
def position_table(length, size):
    table = torch.zeros(length, size)
    t = torch.arange(length).unsqueeze(1)
    speed = 1 / 10000 ** (torch.arange(0, size, 2) / size)
    table[:, 0::2] = torch.cos(t * speed)
    table[:, 1::2] = torch.sin(t * speed)
    return table


@wrong("positions count from 1")
def position_table(length, size):
    table = torch.zeros(length, size)
    t = torch.arange(1, length + 1).unsqueeze(1)
    speed = 1 / 10000 ** (torch.arange(0, size, 2) / size)
    table[:, 0::2] = torch.sin(t * speed)
    table[:, 1::2] = torch.cos(t * speed)
    return table


@wrong("the exponent is i/d, not 2i/d")
def position_table(length, size):
    table = torch.zeros(length, size)
    t = torch.arange(length).unsqueeze(1)
    speed = 1 / 10000 ** (torch.arange(size // 2) / size)
    table[:, 0::2] = torch.sin(t * speed)
    table[:, 1::2] = torch.cos(t * speed)
    return table


@wrong("times 10000 to the power instead of divided by it")
def position_table(length, size):
    table = torch.zeros(length, size)
    t = torch.arange(length).unsqueeze(1)
    speed = 10000.0 ** (torch.arange(0, size, 2) / size)
    table[:, 0::2] = torch.sin(t * speed)
    table[:, 1::2] = torch.cos(t * speed)
    return table


@wrong("1000 in place of 10000")
def position_table(length, size):
    table = torch.zeros(length, size)
    t = torch.arange(length).unsqueeze(1)
    speed = 1 / 1000 ** (torch.arange(0, size, 2) / size)
    table[:, 0::2] = torch.sin(t * speed)
    table[:, 1::2] = torch.cos(t * speed)
    return table


@wrong("whole-number division in the exponent: all speeds are 1")
def position_table(length, size):
    table = torch.zeros(length, size)
    t = torch.arange(length).unsqueeze(1)
    speed = 1 / 10000 ** (torch.arange(0, size, 2) // size)
    table[:, 0::2] = torch.sin(t * speed)
    table[:, 1::2] = torch.cos(t * speed)
    return table


@wrong("the cosine has a speed of its own: the exponent of the odd column")
def position_table(length, size):
    table = torch.zeros(length, size)
    t = torch.arange(length).unsqueeze(1)
    speed = 1 / 10000 ** (torch.arange(0, size, 2) / size)
    table[:, 0::2] = torch.sin(t * speed)
    speed = 1 / 10000 ** (torch.arange(1, size, 2) / size)
    table[:, 1::2] = torch.cos(t * speed)
    return table


@wrong("the table lies the other way: (size, length)")
def position_table(length, size):
    table = torch.zeros(length, size)
    t = torch.arange(length).unsqueeze(1)
    speed = 1 / 10000 ** (torch.arange(0, size, 2) / size)
    table[:, 0::2] = torch.sin(t * speed)
    table[:, 1::2] = torch.cos(t * speed)
    return table.T


@wrong("divided by the number of pairs instead of by d")
def position_table(length, size):
    table = torch.zeros(length, size)
    t = torch.arange(length).unsqueeze(1)
    speed = 1 / 10000 ** (torch.arange(0, size, 2) / (size // 2))
    table[:, 0::2] = torch.sin(t * speed)
    table[:, 1::2] = torch.cos(t * speed)
    return table


@wrong("a power of e: exp in place of 10000 to the power")
def position_table(length, size):
    table = torch.zeros(length, size)
    t = torch.arange(length).unsqueeze(1)
    speed = 1 / torch.exp(torch.arange(0, size, 2) / size)
    table[:, 0::2] = torch.sin(t * speed)
    table[:, 1::2] = torch.cos(t * speed)
    return table


@wrong("sines and cosines are added in the same column")
def position_table(length, size):
    table = torch.zeros(length, size)
    t = torch.arange(length).unsqueeze(1)
    speed = 1 / 10000 ** (torch.arange(0, size, 2) / size)
    table[:, 0::2] = torch.sin(t * speed)
    table[:, 1::2] = torch.cos(t * speed)
    table[:, 0::2] += torch.cos(t * speed)
    return table


@wrong("a whole turn: the angle times 2π")
def position_table(length, size):
    table = torch.zeros(length, size)
    t = torch.arange(length).unsqueeze(1)
    speed = 1 / 10000 ** (torch.arange(0, size, 2) / size)
    table[:, 0::2] = torch.sin(2 * math.pi * t * speed)
    table[:, 1::2] = torch.cos(2 * math.pi * t * speed)
    return table


@wrong("the exponents run from 0 to 1, both ends included: d − 2 below the line")
def position_table(length, size):
    table = torch.zeros(length, size)
    t = torch.arange(length).unsqueeze(1)
    speed = 1 / 10000 ** (torch.arange(0, size, 2) / max(size - 2, 1))
    table[:, 0::2] = torch.sin(t * speed)
    table[:, 1::2] = torch.cos(t * speed)
    return table


@right
def position_table(length, size):
    exponent = torch.arange(size // 2, dtype=torch.double) * 2 / size
    angles = torch.outer(torch.arange(length, dtype=torch.double), 10000.0**-exponent)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).float()
