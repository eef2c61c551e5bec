"""Answers to exercise ``lstm_step_back``, written from its statement alone."""

import torch
from answering import wrong


@wrong("what the loss says to h does not reach the memory")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    t = torch.tanh(f * cell + i * g)
    d = grad_cell
    sums = [d * g * i * (1 - i), d * cell * f * (1 - f), d * i * (1 - g**2)]
    sums.append(grad_hidden * t * o * (1 - o))
    return torch.cat(sums, dim=-1) @ weight_hh, d * f


@wrong("what comes along the memory is overwritten by what comes through h")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    t = torch.tanh(f * cell + i * g)
    d = grad_hidden * o * (1 - t**2)
    sums = [d * g * i * (1 - i), d * cell * f * (1 - f), d * i * (1 - g**2)]
    sums.append(grad_hidden * t * o * (1 - o))
    return torch.cat(sums, dim=-1) @ weight_hh, d * f


@wrong("the tanh of the old memory, not of the new")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    t = torch.tanh(cell)
    d = grad_cell + grad_hidden * o * (1 - t**2)
    sums = [d * g * i * (1 - i), d * cell * f * (1 - f), d * i * (1 - g**2)]
    sums.append(grad_hidden * t * o * (1 - o))
    return torch.cat(sums, dim=-1) @ weight_hh, d * f


@wrong("the slopes of the gates are forgotten")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    t = torch.tanh(f * cell + i * g)
    d = grad_cell + grad_hidden * o * (1 - t**2)
    return torch.cat([d * g, d * cell, d * i, grad_hidden * t], dim=-1) @ weight_hh, d * f


@wrong("the candidate gets the slope of a sigmoid")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    t = torch.tanh(f * cell + i * g)
    d = grad_cell + grad_hidden * o * (1 - t**2)
    by_gate = torch.cat([d * g, d * cell, d * i, grad_hidden * t], dim=-1)
    return (by_gate * gates * (1 - gates)) @ weight_hh, d * f


@wrong("the memory's gradient is handed on without the forget gate")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    t = torch.tanh(f * cell + i * g)
    d = grad_cell + grad_hidden * o * (1 - t**2)
    sums = [d * g * i * (1 - i), d * cell * f * (1 - f), d * i * (1 - g**2)]
    sums.append(grad_hidden * t * o * (1 - o))
    return torch.cat(sums, dim=-1) @ weight_hh, d


@wrong("the output gate is left out of the road to h")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    t = torch.tanh(f * cell + i * g)
    d = grad_cell + grad_hidden * o * (1 - t**2)
    H = cell.shape[-1]
    sums = torch.cat([d * g * i * (1 - i), d * cell * f * (1 - f), d * i * (1 - g**2)], dim=-1)
    return sums @ weight_hh[: 3 * H], d * f
