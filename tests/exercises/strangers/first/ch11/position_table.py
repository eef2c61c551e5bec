"""Answers to exercise ``position_table``, written from its statement alone."""

import math

import torch
from answering import right, wrong


@wrong("sines in the left half, cosines in the right")
def position_table(length, size):
    angles = torch.arange(length).unsqueeze(1) / 10000 ** (torch.arange(0, size, 2) / size)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


@wrong("i instead of 2i in the exponent")
def position_table(length, size):
    angles = torch.arange(length).unsqueeze(1) / 10000 ** (torch.arange(size // 2) / size)
    table = torch.zeros(length, size)
    table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()
    return table


@wrong("every column has a speed of its own")
def position_table(length, size):
    angles = torch.arange(length).unsqueeze(1) / 10000 ** (torch.arange(size) / size)
    table = torch.zeros(length, size)
    table[:, 0::2], table[:, 1::2] = angles[:, 0::2].sin(), angles[:, 1::2].cos()
    return table


@wrong("positions count from 1")
def position_table(length, size):
    angles = torch.arange(1, length + 1).unsqueeze(1) / 10000 ** (torch.arange(0, size, 2) / size)
    table = torch.zeros(length, size)
    table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()
    return table


@wrong("sine and cosine exchanged")
def position_table(length, size):
    angles = torch.arange(length).unsqueeze(1) / 10000 ** (torch.arange(0, size, 2) / size)
    table = torch.zeros(length, size)
    table[:, 0::2], table[:, 1::2] = angles.cos(), angles.sin()
    return table


@wrong("multiplied by the power instead of divided")
def position_table(length, size):
    angles = torch.arange(length).unsqueeze(1) * 10000 ** (torch.arange(0, size, 2) / size)
    table = torch.zeros(length, size)
    table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()
    return table


@wrong("whole-number division in the exponent: only one speed")
def position_table(length, size):
    angles = torch.arange(length).unsqueeze(1) / 10000.0 ** (torch.arange(0, size, 2) // size)
    table = torch.zeros(length, size)
    table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()
    return table


@right
def position_table(length, size):
    rows = []
    for t in range(length):
        row = []
        for i in range(size // 2):
            angle = t / 10000 ** (2 * i / size)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return torch.tensor(rows)
