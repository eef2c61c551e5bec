"""Answers to exercise ``lstm_step_back``, as learners write them."""

import torch
from answering import right, wrong


@wrong("is grad_hidden ⊙ o ⊙ (1 − tanh²(c_t)) ⊙ f")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    import torch

    n = cell.shape[1]
    i, f, g, o = (gates[:, k * n : (k + 1) * n] for k in range(4))
    new = torch.tanh(f * cell + i * g)
    dc = grad_cell
    do = grad_hidden * new * o * (1 - o)
    d = torch.cat([dc * g * i * (1 - i), dc * cell * f * (1 - f), dc * i * (1 - g * g), do], 1)
    return d @ weight_hh, dc * f


@wrong("the cell's goes back through the forget gate alone")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    import torch

    n = cell.shape[1]
    i, f, g, o = (gates[:, k * n : (k + 1) * n] for k in range(4))
    new = torch.tanh(f * cell + i * g)
    dc = grad_hidden * o * (1 - new**2)
    do = grad_hidden * new * o * (1 - o)
    d = torch.cat([dc * g * i * (1 - i), dc * cell * f * (1 - f), dc * i * (1 - g * g), do], 1)
    return d @ weight_hh, dc * f


@wrong("is ∂L/∂c_t ⊙ g ⊙ i(1 − i)")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    import torch

    n = cell.shape[1]
    i, f, g, o = (gates[:, k * n : (k + 1) * n] for k in range(4))
    new = torch.tanh(f * cell + i * g)
    dc = grad_cell + grad_hidden * o * (1 - new**2)
    d = torch.cat([dc * g, dc * cell, dc * i, grad_hidden * new], 1)
    return d @ weight_hh, dc * f


@wrong("is ∂L/∂c_t ⊙ i ⊙ (1 − g²)")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    import torch

    n = cell.shape[1]
    i, f, g, o = (gates[:, k * n : (k + 1) * n] for k in range(4))
    new = torch.tanh(f * cell + i * g)
    dc = grad_cell + grad_hidden * o * (1 - new**2)
    d = torch.cat([dc * g, dc * cell, dc * i, grad_hidden * new], 1)
    return (d * gates * (1 - gates)) @ weight_hh, dc * f


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
