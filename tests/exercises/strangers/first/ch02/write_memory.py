"""Answers to exercise ``write_memory``, written from its statement alone."""

import torch
from answering import wrong


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
