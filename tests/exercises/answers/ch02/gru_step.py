"""Answers to exercise ``gru_step``, as learners write them."""

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


@wrong("z works the other way round")
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


@wrong("Both conventions are those of Bahdanau")
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


@wrong("The blocks are read as z, r, n")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    import torch
    from torch.nn.functional import linear

    wi, wh = weight_ih.chunk(3), weight_hh.chunk(3)
    bi, bh = bias_ih.chunk(3), bias_hh.chunk(3)
    h = state
    r = torch.sigmoid(linear(x, wi[0], bi[0]) + linear(h, wh[0], bh[0]))
    z = torch.sigmoid(linear(x, wi[1], bi[1]) + linear(h, wh[1], bh[1]))
    z, r = r, z
    n = torch.tanh(linear(x, wi[2], bi[2]) + r * linear(h, wh[2], bh[2]))
    return (1 - z) * n + z * h


@wrong("stands inside the bracket")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    import torch
    from torch.nn.functional import linear

    wi, wh = weight_ih.chunk(3), weight_hh.chunk(3)
    bi, bh = bias_ih.chunk(3), bias_hh.chunk(3)
    h = state
    r = torch.sigmoid(linear(x, wi[0], bi[0]) + linear(h, wh[0], bh[0]))
    z = torch.sigmoid(linear(x, wi[1], bi[1]) + linear(h, wh[1], bh[1]))
    n = torch.tanh(linear(x, wi[2], bi[2]) + r * linear(h, wh[2]) + bh[2])
    return (1 - z) * n + z * h


@wrong("r multiplies the input's part")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    import torch
    from torch.nn.functional import linear

    wi, wh = weight_ih.chunk(3), weight_hh.chunk(3)
    bi, bh = bias_ih.chunk(3), bias_hh.chunk(3)
    h = state
    r = torch.sigmoid(linear(x, wi[0], bi[0]) + linear(h, wh[0], bh[0]))
    z = torch.sigmoid(linear(x, wi[1], bi[1]) + linear(h, wh[1], bh[1]))
    n = torch.tanh(r * (linear(x, wi[2], bi[2]) + linear(h, wh[2], bh[2])))
    return (1 - z) * n + z * h


@wrong("The reset gate r is not used")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    import torch
    from torch.nn.functional import linear

    wi, wh = weight_ih.chunk(3), weight_hh.chunk(3)
    bi, bh = bias_ih.chunk(3), bias_hh.chunk(3)
    h = state
    r = torch.sigmoid(linear(x, wi[0], bi[0]) + linear(h, wh[0], bh[0]))
    z = torch.sigmoid(linear(x, wi[1], bi[1]) + linear(h, wh[1], bh[1]))
    n = torch.tanh(linear(x, wi[2], bi[2]) + linear(h, wh[2], bh[2]))
    return n - z * n + z * h


@wrong("The candidate n goes through a sigmoid")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    import torch
    from torch.nn.functional import linear

    wi, wh = weight_ih.chunk(3), weight_hh.chunk(3)
    bi, bh = bias_ih.chunk(3), bias_hh.chunk(3)
    h = state
    r = torch.sigmoid(linear(x, wi[0], bi[0]) + linear(h, wh[0], bh[0]))
    z = torch.sigmoid(linear(x, wi[1], bi[1]) + linear(h, wh[1], bh[1]))
    n = torch.sigmoid(linear(x, wi[2], bi[2]) + r * linear(h, wh[2], bh[2]))
    return (1 - z) * n + z * h
