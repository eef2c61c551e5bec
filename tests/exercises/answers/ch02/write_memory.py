"""Answers to exercise ``write_memory``, as learners write them."""

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("The sums are used as they are")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    i, f, g = input_sum, forget_sum, candidate_sum
    return cell * f + i * g


@wrong("The candidate is not bent")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    i, f, g = input_sum, forget_sum, candidate_sum
    return cell * f.sigmoid() + g * i.sigmoid()


@wrong("nothing negative can be written")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    i, f, g = input_sum, forget_sum, candidate_sum
    return f.sigmoid() * cell + i.sigmoid() * g.sigmoid()


@wrong("The two gates are exchanged")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    i, f, g = input_sum, forget_sum, candidate_sum
    return i.sigmoid() * cell + f.sigmoid() * g.tanh()


@wrong("that is one gate for both")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    import torch

    i, f, g = input_sum, forget_sum, candidate_sum
    return torch.lerp(g.tanh(), cell, f.sigmoid())


@wrong("f = 1 keeps the memory")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    i, f, g = input_sum, forget_sum, candidate_sum
    return cell - f.sigmoid() * cell + i.sigmoid() * g.tanh()


@wrong("the tanh comes when it is read")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    i, f, g = input_sum, forget_sum, candidate_sum
    return (f.sigmoid() * cell + i.sigmoid() * g.tanh()).tanh()


@wrong("The gates take no σ:")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    return forget_sum * cell + input_sum * torch.tanh(candidate_sum)


@wrong("Nothing is forgotten:")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    return cell + torch.sigmoid(input_sum) * torch.tanh(candidate_sum)


@wrong("The argument cell was changed by the call.")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    cell *= torch.sigmoid(forget_sum)
    cell += torch.sigmoid(input_sum) * torch.tanh(candidate_sum)
    return cell


@wrong("A bracket is in the wrong place:")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    new = torch.sigmoid(input_sum) * torch.tanh(candidate_sum)
    return torch.sigmoid(forget_sum) * (cell + new)


@right
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    f = 1 / (1 + torch.exp(-forget_sum))
    i = 1 / (1 + torch.exp(-input_sum))
    return torch.addcmul(f * cell, i, candidate_sum.tanh())


@right
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    new = cell.clone()
    new *= forget_sum.sigmoid()
    new += input_sum.sigmoid() * candidate_sum.tanh()
    return new


@right
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    rows = []
    for b in range(cell.shape[0]):
        keep = F.sigmoid(forget_sum[b]) * cell[b]
        rows.append(keep + F.sigmoid(input_sum[b]) * F.tanh(candidate_sum[b]))
    return torch.stack(rows)
