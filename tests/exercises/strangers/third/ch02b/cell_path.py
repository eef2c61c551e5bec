import torch
from answering import right, wrong


@wrong("products from the front: the gates before t")
def cell_path(forget):
    before = forget.cumprod(0)
    return torch.cat([torch.ones_like(forget[:1]), before[:-1]])


@wrong("the running product goes along the units, not along time")
def cell_path(forget):
    p = forget.flip(1).cumprod(1).flip(1)
    return torch.cat([p[1:], torch.ones_like(forget[:1])])


@wrong("zeros in the last row instead of ones")
def cell_path(forget):
    p = forget.flip(0).cumprod(0).flip(0)
    return torch.cat([p[1:], torch.zeros_like(forget[:1])])


@wrong("sums where products are asked for")
def cell_path(forget):
    p = forget.flip(0).cumsum(0).flip(0)
    return torch.cat([p[1:], torch.ones_like(forget[:1])])


@wrong("the last row of ones is left out, so one row is missing")
def cell_path(forget):
    return forget.flip(0).cumprod(0).flip(0)[1:]


@wrong("the rows come out in the reverse order: the list built from the end is not turned round")
def cell_path(forget):
    rows = [torch.ones_like(forget[0])]
    for gate in forget.flip(0)[:-1]:
        rows.append(rows[-1] * gate)
    return torch.stack(rows)


@right
def cell_path(forget):
    T = len(forget)
    return torch.stack([forget[t + 1 :].prod(0) for t in range(T)])


@right
def cell_path(forget):
    path = torch.ones_like(forget)
    for t in range(len(forget) - 2, -1, -1):
        path[t] = path[t + 1] * forget[t + 1]
    return path
