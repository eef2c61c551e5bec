"""Answers to exercise ``gru_step``, written from its statement alone."""

import torch
from answering import wrong


@wrong("z counts the other way round: z ⊙ n + (1 − z) ⊙ h")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    ir, iz, i_n = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    hr, hz, hn = (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = torch.sigmoid(ir + hr), torch.sigmoid(iz + hz)
    n = torch.tanh(i_n + r * hn)
    return z * n + (1 - z) * state


@wrong("blocks read as z, r, n")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    iz, ir, i_n = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    hz, hr, hn = (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = torch.sigmoid(ir + hr), torch.sigmoid(iz + hz)
    n = torch.tanh(i_n + r * hn)
    return (1 - z) * n + z * state


@wrong("r multiplies the state before the product")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    H = state.shape[1]
    ir, iz, i_n = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    hr, hz, _ = (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = torch.sigmoid(ir + hr), torch.sigmoid(iz + hz)
    n = torch.tanh(i_n + (r * state) @ weight_hh[2 * H :].T + bias_hh[2 * H :])
    return (1 - z) * n + z * state


@wrong("the bias of the recurrent candidate is not reset")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    H = state.shape[1]
    ir, iz, i_n = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    hr, hz, hn = (state @ weight_hh.T).chunk(3, dim=-1)
    r = torch.sigmoid(ir + hr + bias_hh[:H])
    z = torch.sigmoid(iz + hz + bias_hh[H : 2 * H])
    n = torch.tanh(i_n + r * hn + bias_hh[2 * H :])
    return (1 - z) * n + z * state


@wrong("r multiplies the whole sum, the word's part as well")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    total = x @ weight_ih.T + bias_ih + state @ weight_hh.T + bias_hh
    r, z, n = total.chunk(3, dim=-1)
    r, z = torch.sigmoid(r), torch.sigmoid(z)
    return (1 - z) * torch.tanh(r * n) + z * state


@wrong("no reset gate in the candidate")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    total = x @ weight_ih.T + bias_ih + state @ weight_hh.T + bias_hh
    r, z, n = total.chunk(3, dim=-1)
    z = torch.sigmoid(z)
    return (1 - z) * torch.tanh(n) + z * state


@wrong("the candidate through a sigmoid")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    ir, iz, i_n = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    hr, hz, hn = (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = torch.sigmoid(ir + hr), torch.sigmoid(iz + hz)
    return (1 - z) * torch.sigmoid(i_n + r * hn) + z * state


@wrong("r and z swapped where they are used")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    ir, iz, i_n = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    hr, hz, hn = (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = torch.sigmoid(ir + hr), torch.sigmoid(iz + hz)
    n = torch.tanh(i_n + z * hn)
    return (1 - r) * n + r * state
