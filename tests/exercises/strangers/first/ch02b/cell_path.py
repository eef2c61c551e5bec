"""Answers to exercise ``cell_path``, written from its statement alone."""

import torch
from answering import wrong


@wrong("the row's own gate is in the product")
def cell_path(forget):
    return forget.flip(0).cumprod(0).flip(0)


@wrong("the gates up to t, not those after it")
def cell_path(forget):
    return forget.cumprod(0)


@wrong("all divided by those before: 0/0 where a gate is 0")
def cell_path(forget):
    return forget.prod(0) / forget.cumprod(0)


@wrong("logarithms of 0 are minus infinity, and their difference is not a number")
def cell_path(forget):
    logs = forget.log()
    return (logs.sum(0) - logs.cumsum(0)).exp()


@wrong("the one before the last row only: a single gate, not the product")
def cell_path(forget):
    return torch.cat([forget[1:], torch.ones_like(forget[:1])])


@wrong("the list holds one tensor that is changed in place")
def cell_path(forget):
    rows, road = [], torch.ones_like(forget[0])
    for gate in forget.flip(0):
        rows.insert(0, road)
        road *= gate
    return torch.stack(rows)
