import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("the order of the blocks taken as i, f, o, g")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    sums = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    i, f, o, g = sums.chunk(4, dim=-1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell


@wrong("the output is read from the old cell, not from the one just written")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    sums = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    i, f, g, o = sums.chunk(4, dim=-1)
    new = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), new


@wrong("no tanh where the cell is read")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    sums = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    i, f, g, o = sums.chunk(4, dim=-1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * cell, cell


@wrong("the pair comes back the other way round: cell, hidden")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    sums = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    i, f, g, o = sums.chunk(4, dim=-1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return cell, torch.sigmoid(o) * torch.tanh(cell)


@wrong("the state is unpacked as cell, hidden: the cell goes through the recurrent matrix")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    cell, hidden = state
    sums = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    i, f, g, o = sums.chunk(4, dim=-1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell


@wrong("all four pieces take a sigmoid")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    sums = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    i, f, g, o = torch.sigmoid(sums).chunk(4, dim=-1)
    cell = f * cell + i * g
    return o * torch.tanh(cell), cell


@wrong("the recurrent bias is forgotten")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    sums = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T
    i, f, g, o = sums.chunk(4, dim=-1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell


@wrong("the sums are interleaved: every fourth row belongs to a gate, instead of blocks of H")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    sums = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    i, f, g, o = sums.unflatten(-1, (-1, 4)).unbind(-1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell


@wrong("the old cell is detached, so that no gradient goes along the memory")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    sums = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    i, f, g, o = sums.chunk(4, dim=-1)
    cell = torch.sigmoid(f) * cell.detach() + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell


@wrong("only the new hidden state is returned")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    sums = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    i, f, g, o = sums.chunk(4, dim=-1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell)


@right
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    H = hidden.shape[1]

    def part(k):
        rows = slice(k * H, (k + 1) * H)
        return F.linear(x, weight_ih[rows], bias_ih[rows]) + F.linear(
            hidden, weight_hh[rows], bias_hh[rows]
        )

    written = part(0).sigmoid() * part(2).tanh() + part(1).sigmoid() * cell
    return part(3).sigmoid() * written.tanh(), written


@right
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    h, c = state
    a = torch.einsum("be,ke->bk", x, weight_ih) + torch.einsum("bh,kh->bk", h, weight_hh)
    a = (a + bias_ih + bias_hh).view(len(x), 4, -1)
    i, f, o = a[:, [0, 1, 3]].sigmoid().unbind(1)
    c = f * c + i * a[:, 2].tanh()
    return o * c.tanh(), c
