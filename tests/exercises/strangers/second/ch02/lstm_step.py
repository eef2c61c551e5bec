"""Answers to exercise ``lstm_step``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the blocks are read in the order i, f, o, g")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    h, c = state
    gates = x @ weight_ih.T + bias_ih + h @ weight_hh.T + bias_hh
    i, f, o, g = gates.chunk(4, dim=-1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


@wrong("the output reads the old cell")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    h, c = state
    gates = x @ weight_ih.T + bias_ih + h @ weight_hh.T + bias_hh
    i, f, g, o = gates.chunk(4, dim=-1)
    new_c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    new_h = torch.sigmoid(o) * torch.tanh(c)
    return new_h, new_c


@wrong("no tanh around the cell when it is read")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    h, c = state
    i, f, g, o = (x @ weight_ih.T + bias_ih + h @ weight_hh.T + bias_hh).chunk(4, dim=-1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c, c


@wrong("the candidate takes a sigmoid like the gates")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    h, c = state
    gates = torch.sigmoid(x @ weight_ih.T + bias_ih + h @ weight_hh.T + bias_hh)
    i, f, g, o = gates.chunk(4, dim=-1)
    c = f * c + i * g
    return o * torch.tanh(c), c


@wrong("one of the two biases is forgotten")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    h, c = state
    i, f, g, o = (x @ weight_ih.T + h @ weight_hh.T + bias_ih).chunk(4, dim=-1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


@wrong("returns the pair as (cell, hidden)")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    h, c = state
    i, f, g, o = (x @ weight_ih.T + bias_ih + h @ weight_hh.T + bias_hh).chunk(4, dim=-1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    h = o.sigmoid() * c.tanh()
    return c, h


@wrong("the state is unpacked as (cell, hidden)")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    c, h = state
    i, f, g, o = (x @ weight_ih.T + bias_ih + h @ weight_hh.T + bias_hh).chunk(4, dim=-1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    h = o.sigmoid() * c.tanh()
    return h, c


@right
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hidden, cell = state
    size = hidden.shape[1]
    total = torch.nn.functional.linear(x, weight_ih, bias_ih)
    total = total + torch.nn.functional.linear(hidden, weight_hh, bias_hh)
    i = torch.sigmoid(total[:, :size])
    f = torch.sigmoid(total[:, size : 2 * size])
    g = torch.tanh(total[:, 2 * size : 3 * size])
    o = torch.sigmoid(total[:, 3 * size :])
    cell = f * cell + i * g
    return [o * torch.tanh(cell), cell]


@right
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    hs, cs = [], []
    for b in range(len(x)):
        z = weight_ih @ x[b] + weight_hh @ state[0][b] + bias_ih + bias_hh
        i, f, g, o = z.reshape(4, -1)
        c = state[1][b] / (1 + torch.exp(-f)) + g.tanh() / (1 + torch.exp(-i))
        cs.append(c)
        hs.append(c.tanh() / (1 + torch.exp(-o)))
    return torch.stack(hs), torch.stack(cs)
