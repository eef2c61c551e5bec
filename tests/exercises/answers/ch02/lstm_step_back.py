"""Answers to exercise ``lstm_step_back``, as learners write them."""

from answering import wrong


@wrong("has a second part")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    import torch

    n = cell.shape[1]
    i, f, g, o = (gates[:, k * n : (k + 1) * n] for k in range(4))
    new = torch.tanh(f * cell + i * g)
    dc = grad_cell
    do = grad_hidden * new * o * (1 - o)
    d = torch.cat([dc * g * i * (1 - i), dc * cell * f * (1 - f), dc * i * (1 - g * g), do], 1)
    return d @ weight_hh, dc * f


@wrong("grad_cell is not used")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    import torch

    n = cell.shape[1]
    i, f, g, o = (gates[:, k * n : (k + 1) * n] for k in range(4))
    new = torch.tanh(f * cell + i * g)
    dc = grad_hidden * o * (1 - new**2)
    do = grad_hidden * new * o * (1 - o)
    d = torch.cat([dc * g * i * (1 - i), dc * cell * f * (1 - f), dc * i * (1 - g * g), do], 1)
    return d @ weight_hh, dc * f


@wrong("its slope 1 − tanh²(c_t) is missing")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    import torch

    n = cell.shape[1]
    i, f, g, o = (gates[:, k * n : (k + 1) * n] for k in range(4))
    new = torch.tanh(f * cell + i * g)
    dc = grad_cell + grad_hidden * o
    do = grad_hidden * new * o * (1 - o)
    d = torch.cat([dc * g * i * (1 - i), dc * cell * f * (1 - f), dc * i * (1 - g * g), do], 1)
    return d @ weight_hh, dc * f


@wrong("tanh is taken of the old cell state")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    import torch

    n = cell.shape[1]
    i, f, g, o = (gates[:, k * n : (k + 1) * n] for k in range(4))
    new = torch.tanh(f * cell + i * g)
    new = torch.tanh(cell)
    dc = grad_cell + grad_hidden * o * (1 - new**2)
    do = grad_hidden * new * o * (1 - o)
    d = torch.cat([dc * g * i * (1 - i), dc * cell * f * (1 - f), dc * i * (1 - g * g), do], 1)
    return d @ weight_hh, dc * f


@wrong("multiply by the slopes")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    import torch

    n = cell.shape[1]
    i, f, g, o = (gates[:, k * n : (k + 1) * n] for k in range(4))
    new = torch.tanh(f * cell + i * g)
    dc = grad_cell + grad_hidden * o * (1 - new**2)
    d = torch.cat([dc * g, dc * cell, dc * i, grad_hidden * new], 1)
    return d @ weight_hh, dc * f


@wrong("The slope of g is that of a sigmoid")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    import torch

    n = cell.shape[1]
    i, f, g, o = (gates[:, k * n : (k + 1) * n] for k in range(4))
    new = torch.tanh(f * cell + i * g)
    dc = grad_cell + grad_hidden * o * (1 - new**2)
    d = torch.cat([dc * g, dc * cell, dc * i, grad_hidden * new], 1)
    return (d * gates * (1 - gates)) @ weight_hh, dc * f


@wrong("The output gate depends on h_{t−1}, too")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    import torch

    n = cell.shape[1]
    i, f, g, o = (gates[:, k * n : (k + 1) * n] for k in range(4))
    new = torch.tanh(f * cell + i * g)
    dc = grad_cell + grad_hidden * o * (1 - new**2)
    do = 0 * o
    d = torch.cat([dc * g * i * (1 - i), dc * cell * f * (1 - f), dc * i * (1 - g * g), do], 1)
    return d @ weight_hh, dc * f


@wrong("One step further back stands the forget gate")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    import torch

    n = cell.shape[1]
    i, f, g, o = (gates[:, k * n : (k + 1) * n] for k in range(4))
    new = torch.tanh(f * cell + i * g)
    dc = grad_cell + grad_hidden * o * (1 - new**2)
    do = grad_hidden * new * o * (1 - o)
    d = torch.cat([dc * g * i * (1 - i), dc * cell * f * (1 - f), dc * i * (1 - g * g), do], 1)
    return d @ weight_hh, dc
