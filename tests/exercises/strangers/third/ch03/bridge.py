import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("the bias is added after the tanh")
def bridge(final, weight, bias):
    hidden, cell = (torch.tanh(final @ weight.T) + bias).chunk(2, dim=-1)
    return hidden, cell


@wrong("no tanh")
def bridge(final, weight, bias):
    hidden, cell = (final @ weight.T + bias).chunk(2, dim=-1)
    return hidden, cell


@wrong("the halves are swapped: the first becomes the cell")
def bridge(final, weight, bias):
    cell, hidden = torch.tanh(final @ weight.T + bias).chunk(2, dim=-1)
    return hidden, cell


@wrong("cut along the batch instead of along the features")
def bridge(final, weight, bias):
    both = torch.tanh(final @ weight.T + bias)
    return tuple(both.chunk(2, dim=0))


@wrong("even columns for hidden and odd ones for the cell")
def bridge(final, weight, bias):
    both = torch.tanh(final @ weight.T + bias)
    return both[:, 0::2], both[:, 1::2]


@wrong("the tanh is for the hidden state only, the cell stays a plain sum")
def bridge(final, weight, bias):
    hidden, cell = (final @ weight.T + bias).chunk(2, dim=-1)
    return torch.tanh(hidden), cell


@wrong("one tensor of 2H numbers, not cut into a pair")
def bridge(final, weight, bias):
    return torch.tanh(final @ weight.T + bias)


@wrong("the cell starts at zero")
def bridge(final, weight, bias):
    hidden, _ = torch.tanh(final @ weight.T + bias).chunk(2, dim=-1)
    return hidden, torch.zeros_like(hidden)


@wrong("hidden is used for both")
def bridge(final, weight, bias):
    H = len(bias) // 2
    hidden = torch.tanh(final @ weight[:H].T + bias[:H])
    return hidden, hidden


@wrong("cut at the size of the encoder's state M instead of in the middle")
def bridge(final, weight, bias):
    both = torch.tanh(final @ weight.T + bias)
    M = final.shape[1]
    return both[:, :M], both[:, M:]


@right
def bridge(final, weight, bias):
    upper, lower = weight.chunk(2)
    b1, b2 = bias.chunk(2)
    return F.linear(final, upper, b1).tanh(), F.linear(final, lower, b2).tanh()


@right
def bridge(final, weight, bias):
    H = weight.shape[0] // 2
    both = torch.stack([torch.tanh(weight @ row + bias) for row in final])
    return both[:, :H], both[:, H:]
