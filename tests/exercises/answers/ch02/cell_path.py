"""Answers to exercise ``cell_path``, as learners write them."""

from answering import wrong


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


@wrong("the derivative of something with respect to itself")
def cell_path(forget):
    import torch

    out = torch.zeros_like(forget)
    for t in range(len(forget) - 1):
        out[t] = forget[t + 1 :].prod(0)
    return out
