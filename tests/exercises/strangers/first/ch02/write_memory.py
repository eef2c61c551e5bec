"""Answers to exercise ``write_memory``, written from its statement alone."""

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("the two gates exchanged: forget scales the new, input the old")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    new = torch.tanh(candidate_sum)
    return torch.sigmoid(input_sum) * cell + torch.sigmoid(forget_sum) * new


@wrong("the candidate goes through a sigmoid like the gates")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    i, f, g = (torch.sigmoid(x) for x in (input_sum, forget_sum, candidate_sum))
    return f * cell + i * g


@wrong("the candidate without its tanh")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    return torch.sigmoid(forget_sum) * cell + torch.sigmoid(input_sum) * candidate_sum


@wrong("the sums are taken for the gates themselves")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    return forget_sum * cell + input_sum * torch.tanh(candidate_sum)


@wrong("a forget gate that counts the wrong way: 1 − f")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    f = torch.sigmoid(forget_sum)
    return (1 - f) * cell + torch.sigmoid(input_sum) * torch.tanh(candidate_sum)


@wrong("the input gate replaced by 1 − f as in a GRU")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    f = torch.sigmoid(forget_sum)
    return f * cell + (1 - f) * torch.tanh(candidate_sum)


@wrong("a tanh over the new memory, too")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    new = torch.sigmoid(input_sum) * torch.tanh(candidate_sum)
    return torch.tanh(torch.sigmoid(forget_sum) * cell + new)


@wrong("nothing is forgotten")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    return cell + torch.sigmoid(input_sum) * torch.tanh(candidate_sum)


@wrong("writes into the old memory")
def write_memory(cell, input_sum, forget_sum, candidate_sum):
    cell *= torch.sigmoid(forget_sum)
    cell += torch.sigmoid(input_sum) * torch.tanh(candidate_sum)
    return cell


@wrong("bracket in the wrong place: the forget gate scales everything")
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
