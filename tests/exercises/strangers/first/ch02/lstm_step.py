"""Answers to exercise ``lstm_step``, written from its statement alone."""

import torch
from answering import right, wrong
from torch.nn import functional as F


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


@wrong("the memory, not the hidden state, goes through the recurrent matrix")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    total = x @ weight_ih.T + bias_ih + cell @ weight_hh.T + bias_hh
    i, f, g, o = total.chunk(4, dim=-1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell


@wrong("every fourth number belongs to a gate: strided, not in blocks")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    total = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    i, f, g, o = (total[:, k::4] for k in range(4))
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell


@wrong("only the hidden state is returned")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    total = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    i, f, g, o = total.chunk(4, dim=-1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell)


@wrong("the old memory comes in detached: no gradient through it")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    total = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    i, f, g, o = total.chunk(4, dim=-1)
    cell = torch.sigmoid(f) * cell.detach() + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell


@right
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    H = hidden.shape[-1]

    def part(k):
        rows = slice(k * H, (k + 1) * H)
        read = F.linear(x, weight_ih[rows], bias_ih[rows])
        return read + F.linear(hidden, weight_hh[rows], bias_hh[rows])

    new_cell = part(1).sigmoid() * cell + part(0).sigmoid() * part(2).tanh()
    return [part(3).sigmoid() * new_cell.tanh(), new_cell]


@right
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hiddens, cells = [], []
    for b in range(len(x)):
        total = weight_ih @ x[b] + weight_hh @ state[0][b] + (bias_ih + bias_hh)
        i, f, g, o = total.view(4, -1)
        c = torch.sigmoid(f) * state[1][b] + torch.sigmoid(i) * torch.tanh(g)
        cells.append(c)
        hiddens.append(torch.sigmoid(o) * torch.tanh(c))
    return torch.stack(hiddens), torch.stack(cells)


@right
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    weight = torch.cat([weight_ih, weight_hh], dim=1)
    total = torch.einsum("be,ge->bg", torch.cat([x, state[0]], dim=1), weight)
    i, f, g, o = torch.split(total + bias_ih + bias_hh, state[0].size(1), dim=1)
    cell = torch.sigmoid(f) * state[1] + torch.sigmoid(i) * (2 * torch.sigmoid(2 * g) - 1)
    return (torch.sigmoid(o) * cell.tanh(), cell)
