"""Answers to exercise ``write_memory``, as learners write them."""

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("only σ(pre_forget) ⊙ c is left")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    i, f, g = pre_input, pre_forget, pre_candidate
    return cell * f + i * g


@wrong("only σ(pre_input) ⊙ tanh(pre_candidate) is left")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    i, f, g = pre_input, pre_forget, pre_candidate
    return f.sigmoid() * cell + i.sigmoid() * g.sigmoid()


@wrong("The two gates are exchanged")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    i, f, g = pre_input, pre_forget, pre_candidate
    return i.sigmoid() * cell + f.sigmoid() * g.tanh()


@wrong("The argument cell was changed by the call.")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    cell *= torch.sigmoid(pre_forget)
    cell += torch.sigmoid(pre_input) * torch.tanh(pre_candidate)
    return cell


@right
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    f = 1 / (1 + torch.exp(-pre_forget))
    i = 1 / (1 + torch.exp(-pre_input))
    return torch.addcmul(f * cell, i, pre_candidate.tanh())


@right
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    rows = []
    for b in range(cell.shape[0]):
        keep = F.sigmoid(pre_forget[b]) * cell[b]
        rows.append(keep + F.sigmoid(pre_input[b]) * F.tanh(pre_candidate[b]))
    return torch.stack(rows)
