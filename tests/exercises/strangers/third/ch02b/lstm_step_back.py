import torch
from answering import right, wrong


@wrong("the slope of tanh on the way from hidden to cell is missing")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    new = f * cell + i * g
    d_cell = grad_cell + grad_hidden * o
    d_gates = [
        d_cell * g * i * (1 - i),
        d_cell * cell * f * (1 - f),
        d_cell * i * (1 - g**2),
        grad_hidden * torch.tanh(new) * o * (1 - o),
    ]
    return torch.cat(d_gates, dim=-1) @ weight_hh, d_cell * f


@wrong("only grad_cell goes to the memory; the way through the hidden state is left out")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    new = f * cell + i * g
    d_gates = [
        grad_cell * g * i * (1 - i),
        grad_cell * cell * f * (1 - f),
        grad_cell * i * (1 - g**2),
        grad_hidden * torch.tanh(new) * o * (1 - o),
    ]
    return torch.cat(d_gates, dim=-1) @ weight_hh, grad_cell * f


@wrong("the gates' slopes are forgotten: the gradient stops at the gates' values")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    new = torch.tanh(f * cell + i * g)
    d_cell = grad_cell + grad_hidden * o * (1 - new**2)
    d_gates = [d_cell * g, d_cell * cell, d_cell * i, grad_hidden * new]
    return torch.cat(d_gates, dim=-1) @ weight_hh, d_cell * f


@wrong("the given cell is taken for c_t, though it is the one before")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    bent = torch.tanh(cell)
    d_cell = grad_cell + grad_hidden * o * (1 - bent**2)
    d_gates = [
        d_cell * g * i * (1 - i),
        d_cell * cell * f * (1 - f),
        d_cell * i * (1 - g**2),
        grad_hidden * bent * o * (1 - o),
    ]
    return torch.cat(d_gates, dim=-1) @ weight_hh, d_cell * f


@wrong("i and g are swapped in each other's gradients")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    bent = torch.tanh(f * cell + i * g)
    d_cell = grad_cell + grad_hidden * o * (1 - bent**2)
    d_gates = [
        d_cell * i * i * (1 - i),
        d_cell * cell * f * (1 - f),
        d_cell * g * (1 - g**2),
        grad_hidden * bent * o * (1 - o),
    ]
    return torch.cat(d_gates, dim=-1) @ weight_hh, d_cell * f


@wrong("the candidate gets a sigmoid's slope g(1 − g)")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    bent = torch.tanh(f * cell + i * g)
    d_cell = grad_cell + grad_hidden * o * (1 - bent**2)
    outer = torch.cat([d_cell * g, d_cell * cell, d_cell * i, grad_hidden * bent], dim=-1)
    return (outer * gates * (1 - gates)) @ weight_hh, d_cell * f


@wrong("the second result is ∂L/∂c_t: it is not multiplied by the forget gate")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    bent = torch.tanh(f * cell + i * g)
    d_cell = grad_cell + grad_hidden * o * (1 - bent**2)
    d_gates = [
        d_cell * g * i * (1 - i),
        d_cell * cell * f * (1 - f),
        d_cell * i * (1 - g**2),
        grad_hidden * bent * o * (1 - o),
    ]
    return torch.cat(d_gates, dim=-1) @ weight_hh, d_cell


@wrong("the four gradients are joined in the order i, f, o, g")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    bent = torch.tanh(f * cell + i * g)
    d_cell = grad_cell + grad_hidden * o * (1 - bent**2)
    d_gates = [
        d_cell * g * i * (1 - i),
        d_cell * cell * f * (1 - f),
        grad_hidden * bent * o * (1 - o),
        d_cell * i * (1 - g**2),
    ]
    return torch.cat(d_gates, dim=-1) @ weight_hh, d_cell * f


@wrong("the output gate's gradient uses c_t instead of tanh(c_t)")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    new = f * cell + i * g
    d_cell = grad_cell + grad_hidden * o * (1 - torch.tanh(new) ** 2)
    d_gates = [
        d_cell * g * i * (1 - i),
        d_cell * cell * f * (1 - f),
        d_cell * i * (1 - g**2),
        grad_hidden * new * o * (1 - o),
    ]
    return torch.cat(d_gates, dim=-1) @ weight_hh, d_cell * f


@wrong("the incoming hidden gradient is added once more to the first result")
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    i, f, g, o = gates.chunk(4, dim=-1)
    bent = torch.tanh(f * cell + i * g)
    d_cell = grad_cell + grad_hidden * o * (1 - bent**2)
    d_gates = [
        d_cell * g * i * (1 - i),
        d_cell * cell * f * (1 - f),
        d_cell * i * (1 - g**2),
        grad_hidden * bent * o * (1 - o),
    ]
    return grad_hidden + torch.cat(d_gates, dim=-1) @ weight_hh, d_cell * f


@right
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    B, H = cell.shape
    i, f, g, o = gates.view(B, 4, H).unbind(1)
    bent = torch.tanh(f * cell + i * g)
    back = grad_cell + grad_hidden * o * (1 - bent * bent)
    inner = torch.stack([back * g, back * cell, back * i, grad_hidden * bent], dim=1)
    slope = torch.stack([i * (1 - i), f * (1 - f), 1 - g * g, o * (1 - o)], dim=1)
    weight = weight_hh.view(4, H, H)
    return torch.einsum("bkh,khj->bj", inner * slope, weight), back * f


@right
def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):
    H = cell.shape[1]
    to_hidden, to_cell = [], []
    for gh, gc, row, old in zip(grad_hidden, grad_cell, gates, cell):
        i, f, g, o = row[:H], row[H : 2 * H], row[2 * H : 3 * H], row[3 * H :]
        c = f * old + i * g
        gc = gc + gh * o / torch.cosh(c) ** 2
        sums = torch.cat(
            [
                gc * g * (i - i**2),
                gc * old * (f - f**2),
                gc * i * (1 - g) * (1 + g),
                gh * c.tanh() * (o - o**2),
            ]
        )
        to_hidden.append(weight_hh.T @ sums)
        to_cell.append(gc * f)
    return torch.stack(to_hidden), torch.stack(to_cell)
