"""Answers to exercise ``write_memory``, as learners write them."""

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("The pre-activations are used as they are")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    i, f, g = pre_input, pre_forget, pre_candidate
    return cell * f + i * g


@wrong("The candidate has no nonlinearity")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    i, f, g = pre_input, pre_forget, pre_candidate
    return cell * f.sigmoid() + g * i.sigmoid()


@wrong("nothing negative can be written")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    i, f, g = pre_input, pre_forget, pre_candidate
    return f.sigmoid() * cell + i.sigmoid() * g.sigmoid()


@wrong("The two gates are exchanged")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    i, f, g = pre_input, pre_forget, pre_candidate
    return i.sigmoid() * cell + f.sigmoid() * g.tanh()


@wrong("that is one gate for both")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    import torch

    i, f, g = pre_input, pre_forget, pre_candidate
    return torch.lerp(g.tanh(), cell, f.sigmoid())


@wrong("f = 1 keeps the memory")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    i, f, g = pre_input, pre_forget, pre_candidate
    return cell - f.sigmoid() * cell + i.sigmoid() * g.tanh()


@wrong("the tanh comes when it is read")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    i, f, g = pre_input, pre_forget, pre_candidate
    return (f.sigmoid() * cell + i.sigmoid() * g.tanh()).tanh()


@wrong("The gates take no σ:")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    return pre_forget * cell + pre_input * torch.tanh(pre_candidate)


@wrong("Nothing is forgotten:")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    return cell + torch.sigmoid(pre_input) * torch.tanh(pre_candidate)


@wrong("The argument cell was changed by the call.")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    cell *= torch.sigmoid(pre_forget)
    cell += torch.sigmoid(pre_input) * torch.tanh(pre_candidate)
    return cell


@wrong("A bracket is in the wrong place:")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    new = torch.sigmoid(pre_input) * torch.tanh(pre_candidate)
    return torch.sigmoid(pre_forget) * (cell + new)


@right
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    f = 1 / (1 + torch.exp(-pre_forget))
    i = 1 / (1 + torch.exp(-pre_input))
    return torch.addcmul(f * cell, i, pre_candidate.tanh())


@right
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    new = cell.clone()
    new *= pre_forget.sigmoid()
    new += pre_input.sigmoid() * pre_candidate.tanh()
    return new


@right
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    rows = []
    for b in range(cell.shape[0]):
        keep = F.sigmoid(pre_forget[b]) * cell[b]
        rows.append(keep + F.sigmoid(pre_input[b]) * F.tanh(pre_candidate[b]))
    return torch.stack(rows)
