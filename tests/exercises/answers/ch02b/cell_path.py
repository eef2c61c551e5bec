"""Answers to exercise ``cell_path``, as learners write them."""

import torch
from answering import right, wrong


@wrong("one gate too many")
def cell_path(forget):
    import torch

    T = len(forget)
    return torch.stack([forget[t:].prod(dim=0) for t in range(T)])


@wrong("from the beginning up to t")
def cell_path(forget):
    import torch

    rows = [forget[0]]
    for f in forget[1:]:
        rows.append(rows[-1] * f)
    return torch.stack(rows)


@wrong("The gates are added up")
def cell_path(forget):
    import torch

    return torch.stack([forget[t:].sum(dim=0) for t in range(len(forget))])


@wrong("Every row is the product of all gates")
def cell_path(forget):
    return forget.prod(0, keepdim=True).repeat(len(forget), 1)


@wrong("where a gate is 0 this is 0/0")
def cell_path(forget):
    import torch

    done = torch.cumprod(forget, dim=0)
    return done[-1:] / done


@wrong("not the whole way to T")
def cell_path(forget):
    import torch

    out = torch.ones_like(forget)
    out[:-1] = forget[1:]
    return out


@wrong("Zeros stand in the last row")
def cell_path(forget):
    import torch

    out = torch.zeros_like(forget)
    for t in range(len(forget) - 1):
        out[t] = forget[t + 1 :].prod(0)
    return out


@wrong("The product runs along the units, in a row.")
def cell_path(forget):
    later = forget.flip(1).cumprod(1).flip(1)
    return torch.cat([later[:, 1:], torch.ones_like(later[:, :1])], dim=1)


@wrong("The gates are added up.")
def cell_path(forget):
    later = forget.flip(0).cumsum(0).flip(0)
    return torch.cat([later[1:], torch.ones_like(forget[:1])])


@wrong("Zeros stand in the last row.")
def cell_path(forget):
    result = torch.zeros_like(forget)
    road = torch.ones_like(forget[0])
    for t in range(len(forget) - 1, 0, -1):
        road = road * forget[t]
        result[t - 1] = road
    return result


@wrong("One row too far:")
def cell_path(forget):
    result = torch.ones_like(forget)
    for t in range(len(forget)):
        result[t] = forget[t + 2 :].prod(0)
    return result


@wrong("The rows stand in the order of a loop from the end.")
def cell_path(forget):
    rows, road = [], torch.ones_like(forget[0])
    for gate in forget.flip(0):
        rows.append(road)
        road = road * gate
    return torch.stack(rows)


@wrong("Rolling the rows brings the product of all gates into the last one.")
def cell_path(forget):
    return forget.flip(0).cumprod(0).flip(0).roll(-1, 0)


@wrong("The units are multiplied, too:")
def cell_path(forget):
    return torch.stack([forget[t + 1 :].prod() for t in range(len(forget))])


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
