"""Answers to exercise ``gru_step``, as learners write them."""

import torch
from answering import wrong


@wrong("*before* the matrix")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    import torch
    from torch.nn.functional import linear

    wi, wh = weight_ih.chunk(3), weight_hh.chunk(3)
    bi, bh = bias_ih.chunk(3), bias_hh.chunk(3)
    h = state
    r = torch.sigmoid(linear(x, wi[0], bi[0]) + linear(h, wh[0], bh[0]))
    z = torch.sigmoid(linear(x, wi[1], bi[1]) + linear(h, wh[1], bh[1]))
    n = torch.tanh(linear(x, wi[2], bi[2]) + linear(r * h, wh[2], bh[2]))
    return (1 - z) * n + z * h


@wrong("With z = 1 (by 200 or −200")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    import torch
    from torch.nn.functional import linear

    wi, wh = weight_ih.chunk(3), weight_hh.chunk(3)
    bi, bh = bias_ih.chunk(3), bias_hh.chunk(3)
    h = state
    r = torch.sigmoid(linear(x, wi[0], bi[0]) + linear(h, wh[0], bh[0]))
    z = torch.sigmoid(linear(x, wi[1], bi[1]) + linear(h, wh[1], bh[1]))
    n = torch.tanh(linear(x, wi[2], bi[2]) + r * linear(h, wh[2], bh[2]))
    return z * n + (1 - z) * h


@wrong("the new state is the old state h, which is [2.0]")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    import torch
    from torch.nn.functional import linear

    wi, wh = weight_ih.chunk(3), weight_hh.chunk(3)
    bi, bh = bias_ih.chunk(3), bias_hh.chunk(3)
    h = state
    r = torch.sigmoid(linear(x, wi[0], bi[0]) + linear(h, wh[0], bh[0]))
    z = torch.sigmoid(linear(x, wi[1], bi[1]) + linear(h, wh[1], bh[1]))
    n = torch.tanh(linear(x, wi[2], bi[2]) + linear(r * h, wh[2], bh[2]))
    return h + z * (n - h)


@wrong("A tuple is returned, where a tensor of shape (1, 1) is expected.")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    ir, iz, i_n = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    hr, hz, hn = (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = torch.sigmoid(ir + hr), torch.sigmoid(iz + hz)
    n = torch.tanh(i_n + r * hn)
    return (1 - z) * n + z * state, n
