"""Answers to exercise ``lstm_step``, written from its statement alone."""

import torch
from answering import wrong


@wrong("blocks read as i, f, o, g")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    total = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    i, f, o, g = total.chunk(4, dim=-1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell


@wrong("blocks read as f, i, g, o")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    total = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    f, i, g, o = total.chunk(4, dim=-1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell


@wrong("the old memory is read, not the new one")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    total = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    i, f, g, o = total.chunk(4, dim=-1)
    new_cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), new_cell


@wrong("the memory is read without its tanh")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    total = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    i, f, g, o = total.chunk(4, dim=-1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * cell, cell


@wrong("returns (cell, hidden)")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    total = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    i, f, g, o = total.chunk(4, dim=-1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return cell, torch.sigmoid(o) * torch.tanh(cell)


@wrong("takes the pair apart as (cell, hidden)")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    cell, hidden = state
    total = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    i, f, g, o = total.chunk(4, dim=-1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell


@wrong("all four blocks through a sigmoid")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    total = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    i, f, g, o = torch.sigmoid(total).chunk(4, dim=-1)
    cell = f * cell + i * g
    return o * torch.tanh(cell), cell


@wrong("only one of the two biases")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    i, f, g, o = (x @ weight_ih.T + hidden @ weight_hh.T + bias_ih).chunk(4, dim=-1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell
