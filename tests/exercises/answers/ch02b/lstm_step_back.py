"""Answers to exercise ``lstm_step_back``, as learners write them."""

from answering import wrong


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
