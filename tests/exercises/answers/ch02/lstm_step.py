"""Answers to exercise ``lstm_step``, as learners write them."""

from answering import wrong


@wrong("The blocks are read as i, f, o, g")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    import torch

    h, c = state
    a = torch.addmm(bias_ih, x, weight_ih.t()) + torch.addmm(bias_hh, h, weight_hh.t())
    n = a.size(1) // 4
    i, f, o, g = a.chunk(4, dim=1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


@wrong("Input gate and forget gate are exchanged")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    import torch

    h, c = state
    a = torch.addmm(bias_ih, x, weight_ih.t()) + torch.addmm(bias_hh, h, weight_hh.t())
    n = a.size(1) // 4
    f, i, g, o = a.split(n, dim=1)
    c = c * torch.sigmoid(f) + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


@wrong("The candidate g goes through a sigmoid")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    import torch

    h, c = state
    a = torch.addmm(bias_ih, x, weight_ih.t()) + torch.addmm(bias_hh, h, weight_hh.t())
    n = a.size(1) // 4
    i, f, g, o = torch.sigmoid(a).chunk(4, 1)
    c = f * c + i * g
    return o * torch.tanh(c), c


@wrong("the tanh of the cell state is missing")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    import torch

    h, c = state
    a = torch.addmm(bias_ih, x, weight_ih.t()) + torch.addmm(bias_hh, h, weight_hh.t())
    n = a.size(1) // 4
    i, f, g, o = a.chunk(4, 1)
    i, f, o = i.sigmoid(), f.sigmoid(), o.sigmoid()
    c = f * c + i * g.tanh()
    return o * c, c


@wrong("made of the old cell state")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    import torch

    h, c = state
    a = torch.addmm(bias_ih, x, weight_ih.t()) + torch.addmm(bias_hh, h, weight_hh.t())
    n = a.size(1) // 4
    i, f, g, o = a.chunk(4, 1)
    i, f, o = i.sigmoid(), f.sigmoid(), o.sigmoid()
    out = o * c.tanh()
    c = f * c + i * g.tanh()
    return out, c


@wrong("Nothing is ever forgotten")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    import torch

    h, c = state
    a = torch.addmm(bias_ih, x, weight_ih.t()) + torch.addmm(bias_hh, h, weight_hh.t())
    n = a.size(1) // 4
    i, f, g, o = a.chunk(4, 1)
    i, f, o = i.sigmoid(), f.sigmoid(), o.sigmoid()
    c = c + i * g.tanh()
    return o * c.tanh(), c


@wrong("One of the two biases is left out")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    h, c = state
    a = x @ weight_ih.T + h @ weight_hh.T + bias_ih
    i, f, g, o = a.chunk(4, 1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


@wrong("exchanged on the way out")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    import torch

    h, c = state
    a = torch.addmm(bias_ih, x, weight_ih.t()) + torch.addmm(bias_hh, h, weight_hh.t())
    n = a.size(1) // 4
    i, f, g, o = a.chunk(4, 1)
    i, f, o = i.sigmoid(), f.sigmoid(), o.sigmoid()
    c = f * c + i * g.tanh()
    return c, o * c.tanh()


@wrong("exchanged on the way in")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    import torch

    c, h = state
    return torch.lstm_cell(x, (h, c), weight_ih, weight_hh, bias_ih, bias_hh)


@wrong("is returned, where a tuple is expected")
def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    import torch

    h, c = state
    a = torch.addmm(bias_ih, x, weight_ih.t()) + torch.addmm(bias_hh, h, weight_hh.t())
    n = a.size(1) // 4
    i, f, g, o = a.chunk(4, 1)
    i, f, o = i.sigmoid(), f.sigmoid(), o.sigmoid()
    c = f * c + i * g.tanh()
    return o * c.tanh()
