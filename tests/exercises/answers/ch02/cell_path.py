"""Answers to exercise ``cell_path``, as learners write them."""

import torch
from answering import wrong


@wrong("The last row is [0.1]. No gate lies after the last")
def cell_path(forget):
    import torch

    T = len(forget)
    return torch.stack([forget[t:].prod(dim=0) for t in range(T)])


@wrong("No gate lies after the last, so it is 1: ∂c_T/∂c_T.")
def cell_path(forget):
    import torch

    rows = [forget[0]]
    for f in forget[1:]:
        rows.append(rows[-1] * f)
    return torch.stack(rows)


@wrong("where a gate is 0 this is 0/0")
def cell_path(forget):
    import torch

    done = torch.cumprod(forget, dim=0)
    return done[-1:] / done


@wrong("The rows stand in the order of a loop from the end.")
def cell_path(forget):
    rows, road = [], torch.ones_like(forget[0])
    for gate in forget.flip(0):
        rows.append(road)
        road = road * gate
    return torch.stack(rows)
