"""Answers to exercise ``lstm_step``, as learners write them."""

import torch
from answering import wrong


@wrong("The blocks are read as i, f, o, g")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    import torch

    h, c = state
    a = torch.addmm(bias_ih, x, weight_ih.t()) + torch.addmm(bias_hh, h, weight_hh.t())
    n = a.size(1) // 4
    i, f, o, g = a.chunk(4, dim=1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


@wrong("but 1 in block i of bias_ih, h_t is [0.381]")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    import torch

    h, c = state
    a = torch.addmm(bias_ih, x, weight_ih.t()) + torch.addmm(bias_hh, h, weight_hh.t())
    n = a.size(1) // 4
    f, i, g, o = a.split(n, dim=1)
    c = c * torch.sigmoid(f) + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


@wrong("The candidate g goes through a sigmoid")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    import torch

    h, c = state
    a = torch.addmm(bias_ih, x, weight_ih.t()) + torch.addmm(bias_hh, h, weight_hh.t())
    n = a.size(1) // 4
    i, f, g, o = torch.sigmoid(a).chunk(4, 1)
    c = f * c + i * g
    return o * torch.tanh(c), c


@wrong("No gradient comes back to state[1]")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    total = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    i, f, g, o = total.chunk(4, dim=-1)
    cell = torch.sigmoid(f) * cell.detach() + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell
