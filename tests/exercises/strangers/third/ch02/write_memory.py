import torch
from answering import right, wrong


@wrong("the gates of the two products are swapped: input on the old, forget on the new")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    kept = torch.sigmoid(pre_input) * cell
    new = torch.sigmoid(pre_forget) * torch.tanh(pre_candidate)
    return kept + new


@wrong("the candidate goes through a sigmoid, like the gates")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    i, f, g = (torch.sigmoid(s) for s in (pre_input, pre_forget, pre_candidate))
    return f * cell + i * g


@wrong("the sums are used as they are, without a bend")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    return pre_forget * cell + pre_input * pre_candidate


@wrong("tanh for all three, gates as well")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    return torch.tanh(pre_forget) * cell + torch.tanh(pre_input) * torch.tanh(pre_candidate)


@wrong("one tanh round the whole result, as for the hidden state")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    c = torch.sigmoid(pre_forget) * cell + torch.sigmoid(pre_input) * torch.tanh(pre_candidate)
    return torch.tanh(c)


@wrong("the old memory is left out of its product: f + i·g")
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    return torch.sigmoid(pre_forget) + torch.sigmoid(pre_input) * torch.tanh(pre_candidate)


@right
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    forget = 1 / (1 + (-pre_forget).exp())
    write = 1 / (1 + (-pre_input).exp())
    return torch.addcmul(forget * cell, write, pre_candidate.tanh())


@right
def write_memory(cell, pre_input, pre_forget, pre_candidate):
    gates = torch.stack([pre_forget, pre_input]).sigmoid()
    contents = torch.stack([cell, pre_candidate.tanh()])
    return (gates * contents).sum(0)
