"""Answers to exercise ``cell_path``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the row's own gate is in the product")
def cell_path(forget):
    return forget.flip(0).cumprod(0).flip(0)


@wrong("the gates up to t, not those after it")
def cell_path(forget):
    return forget.cumprod(0)


@wrong("all divided by those before: 0/0 where a gate is 0")
def cell_path(forget):
    return forget.prod(0) / forget.cumprod(0)


@wrong("along the units, not along time")
def cell_path(forget):
    later = forget.flip(1).cumprod(1).flip(1)
    return torch.cat([later[:, 1:], torch.ones_like(later[:, :1])], dim=1)


@wrong("sums where products are wanted")
def cell_path(forget):
    later = forget.flip(0).cumsum(0).flip(0)
    return torch.cat([later[1:], torch.ones_like(forget[:1])])


@wrong("logarithms of 0 are minus infinity, and their difference is not a number")
def cell_path(forget):
    logs = forget.log()
    return (logs.sum(0) - logs.cumsum(0)).exp()


@wrong("zeros in the last row")
def cell_path(forget):
    result = torch.zeros_like(forget)
    road = torch.ones_like(forget[0])
    for t in range(len(forget) - 1, 0, -1):
        road = road * forget[t]
        result[t - 1] = road
    return result


@wrong("a row ahead: two gates are skipped")
def cell_path(forget):
    result = torch.ones_like(forget)
    for t in range(len(forget)):
        result[t] = forget[t + 2 :].prod(0)
    return result


@wrong("the one before the last row only: a single gate, not the product")
def cell_path(forget):
    return torch.cat([forget[1:], torch.ones_like(forget[:1])])


@wrong("rows in the order of the loop, from the end")
def cell_path(forget):
    rows, road = [], torch.ones_like(forget[0])
    for gate in forget.flip(0):
        rows.append(road)
        road = road * gate
    return torch.stack(rows)


@wrong("roll brings the whole product into the last row")
def cell_path(forget):
    return forget.flip(0).cumprod(0).flip(0).roll(-1, 0)


@wrong("one number a row: multiplied over the units, too")
def cell_path(forget):
    return torch.stack([forget[t + 1 :].prod() for t in range(len(forget))])


@wrong("the list holds one tensor that is changed in place")
def cell_path(forget):
    rows, road = [], torch.ones_like(forget[0])
    for gate in forget.flip(0):
        rows.insert(0, road)
        road *= gate
    return torch.stack(rows)


@right
def cell_path(forget):
    return torch.stack([forget[t + 1 :].prod(dim=0) for t in range(len(forget))])


@right
def cell_path(forget):
    T, H = forget.shape
    table = [[1.0] * H for _ in range(T)]
    for t in range(T - 2, -1, -1):
        for k in range(H):
            table[t][k] = table[t + 1][k] * float(forget[t + 1, k])
    return torch.tensor(table)


@right
def cell_path(forget):
    shifted = torch.cat([forget[1:], torch.ones(1, forget.shape[1], dtype=forget.dtype)])
    return shifted.flip(0).cumprod(0).flip(0)
