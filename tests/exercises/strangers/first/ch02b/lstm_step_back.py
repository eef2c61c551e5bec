"""Answers to exercise ``lstm_step_back``, written from its statement alone."""

import torch
from answering import right, wrong


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


@wrong("stacked as i, f, o, g")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    t = torch.tanh(f * cell + i * g)
    d = grad_cell + grad_hidden * o * (1 - t**2)
    di, df, dg = d * g * i * (1 - i), d * cell * f * (1 - f), d * i * (1 - g**2)
    do = grad_hidden * t * o * (1 - o)
    return torch.cat([di, df, do, dg], dim=-1) @ weight_hh, d * f


@wrong("the memory's gradient is handed on without the forget gate")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    t = torch.tanh(f * cell + i * g)
    d = grad_cell + grad_hidden * o * (1 - t**2)
    sums = [d * g * i * (1 - i), d * cell * f * (1 - f), d * i * (1 - g**2)]
    sums.append(grad_hidden * t * o * (1 - o))
    return torch.cat(sums, dim=-1) @ weight_hh, d


@wrong("input gate and candidate exchanged")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    t = torch.tanh(f * cell + i * g)
    d = grad_cell + grad_hidden * o * (1 - t**2)
    sums = [d * i * i * (1 - i), d * cell * f * (1 - f), d * g * (1 - g**2)]
    sums.append(grad_hidden * t * o * (1 - o))
    return torch.cat(sums, dim=-1) @ weight_hh, d * f


@wrong("the output gate hears the memory without its tanh")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    new = f * cell + i * g
    d = grad_cell + grad_hidden * o * (1 - torch.tanh(new) ** 2)
    sums = [d * g * i * (1 - i), d * cell * f * (1 - f), d * i * (1 - g**2)]
    sums.append(grad_hidden * new * o * (1 - o))
    return torch.cat(sums, dim=-1) @ weight_hh, d * f


@wrong("the square in the slope of the tanh is missing")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    t = torch.tanh(f * cell + i * g)
    d = grad_cell + grad_hidden * o * (1 - t)
    sums = [d * g * i * (1 - i), d * cell * f * (1 - f), d * i * (1 - g**2)]
    sums.append(grad_hidden * t * o * (1 - o))
    return torch.cat(sums, dim=-1) @ weight_hh, d * f


@wrong("returned as (cell, hidden)")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    t = torch.tanh(f * cell + i * g)
    d = grad_cell + grad_hidden * o * (1 - t**2)
    sums = [d * g * i * (1 - i), d * cell * f * (1 - f), d * i * (1 - g**2)]
    sums.append(grad_hidden * t * o * (1 - o))
    return d * f, torch.cat(sums, dim=-1) @ weight_hh


@wrong("the output gate is left out of the road to h")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    t = torch.tanh(f * cell + i * g)
    d = grad_cell + grad_hidden * o * (1 - t**2)
    H = cell.shape[-1]
    sums = torch.cat([d * g * i * (1 - i), d * cell * f * (1 - f), d * i * (1 - g**2)], dim=-1)
    return sums @ weight_hh[: 3 * H], d * f


@wrong("applies sigmoid and tanh to the gates once more")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
    t = torch.tanh(f * cell + i * g)
    d = grad_cell + grad_hidden * o * (1 - t**2)
    sums = [d * g * i * (1 - i), d * cell * f * (1 - f), d * i * (1 - g**2)]
    sums.append(grad_hidden * t * o * (1 - o))
    return torch.cat(sums, dim=-1) @ weight_hh, d * f


@right
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    B, H = cell.shape
    i, f, g, o = gates.view(B, 4, H).unbind(1)
    bent = (f * cell + i * g).tanh()
    at_cell = grad_hidden * o * (1 - bent.square()) + grad_cell
    inner = torch.stack(
        [
            at_cell * g * (i - i * i),
            at_cell * cell * (f - f * f),
            at_cell * i * (1 - g * g),
            grad_hidden * bent * (o - o * o),
        ],
        dim=1,
    )
    return torch.einsum("bkh,khj->bj", inner, weight_hh.view(4, H, H)), at_cell * f


@right
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    H = cell.shape[1]
    back_h, back_c = torch.zeros_like(cell), torch.zeros_like(cell)
    for b in range(cell.shape[0]):
        for k in range(H):
            i, f, g, o = (gates[b, n * H + k] for n in range(4))
            bent = torch.tanh(f * cell[b, k] + i * g)
            d = grad_cell[b, k] + grad_hidden[b, k] * o * (1 - bent**2)
            back_c[b, k] = d * f
            back_h[b] += d * g * i * (1 - i) * weight_hh[k]
            back_h[b] += d * cell[b, k] * f * (1 - f) * weight_hh[H + k]
            back_h[b] += d * i * (1 - g**2) * weight_hh[2 * H + k]
            back_h[b] += grad_hidden[b, k] * bent * o * (1 - o) * weight_hh[3 * H + k]
    return [back_h, back_c]


@right
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    inputs = (grad_hidden, grad_cell, gates, cell, weight_hh)
    dh, dc, gates, cell, w = (one.double() for one in inputs)
    i, f, g, o = gates.chunk(4, dim=-1)
    new = f * cell + i * g
    dc = dc + dh * o / torch.cosh(new) ** 2
    slopes = torch.cat([i * (1 - i), f * (1 - f), 1 - g**2, o * (1 - o)], dim=-1)
    outer = torch.cat([dc * g, dc * cell, dc * i, dh * new.tanh()], dim=-1)
    return (w.T @ (slopes * outer).T).T, dc * f
