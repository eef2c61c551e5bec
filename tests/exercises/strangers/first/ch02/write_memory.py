"""Answers to exercise ``write_memory``, written from its statement alone."""

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("the two gates exchanged: forget scales the new, input the old")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    new = torch.tanh(pre_candidate)
    return torch.sigmoid(pre_input) * cell + torch.sigmoid(pre_forget) * new


@wrong("the candidate goes through a sigmoid like the gates")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    i, f, g = (torch.sigmoid(x) for x in (pre_input, pre_forget, pre_candidate))
    return f * cell + i * g


@wrong("the candidate without its tanh")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    return torch.sigmoid(pre_forget) * cell + torch.sigmoid(pre_input) * pre_candidate


@wrong("the sums are taken for the gates themselves")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    return pre_forget * cell + pre_input * torch.tanh(pre_candidate)


@wrong("a forget gate that counts the wrong way: 1 − f")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    f = torch.sigmoid(pre_forget)
    return (1 - f) * cell + torch.sigmoid(pre_input) * torch.tanh(pre_candidate)


@wrong("the input gate replaced by 1 − f as in a GRU")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    f = torch.sigmoid(pre_forget)
    return f * cell + (1 - f) * torch.tanh(pre_candidate)


@wrong("a tanh over the new memory, too")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    new = torch.sigmoid(pre_input) * torch.tanh(pre_candidate)
    return torch.tanh(torch.sigmoid(pre_forget) * cell + new)


@wrong("nothing is forgotten")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    return cell + torch.sigmoid(pre_input) * torch.tanh(pre_candidate)


@wrong("writes into the old memory")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    cell *= torch.sigmoid(pre_forget)
    cell += torch.sigmoid(pre_input) * torch.tanh(pre_candidate)
    return cell


@wrong("bracket in the wrong place: the forget gate scales everything")
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
