"""Answers to exercise ``gru_step``, written from its statement alone."""

import torch
from answering import right, wrong
from torch.nn import functional as F


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


@wrong("one more tanh over the new state, as in an LSTM")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    ir, iz, i_n = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    hr, hz, hn = (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = torch.sigmoid(ir + hr), torch.sigmoid(iz + hz)
    n = torch.tanh(i_n + r * hn)
    return torch.tanh((1 - z) * n + z * state)


@wrong("the candidate is added in full")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    ir, iz, i_n = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    hr, hz, hn = (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = torch.sigmoid(ir + hr), torch.sigmoid(iz + hz)
    return torch.tanh(i_n + r * hn) + z * state


@wrong("the recurrent bias is left out of the gates")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    H = state.shape[1]
    ir, iz, i_n = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    hr, hz, hn = (state @ weight_hh.T).chunk(3, dim=-1)
    r, z = torch.sigmoid(ir + hr), torch.sigmoid(iz + hz)
    n = torch.tanh(i_n + r * (hn + bias_hh[2 * H :]))
    return (1 - z) * n + z * state


@wrong("a pair comes back as from an LSTM")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    ir, iz, i_n = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    hr, hz, hn = (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = torch.sigmoid(ir + hr), torch.sigmoid(iz + hz)
    n = torch.tanh(i_n + r * hn)
    return (1 - z) * n + z * state, n


@right
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    H = state.size(-1)
    read = F.linear(x, weight_ih, bias_ih)
    kept = F.linear(state, weight_hh, bias_hh)
    gates = torch.sigmoid(read[:, : 2 * H] + kept[:, : 2 * H])
    n = torch.tanh(read[:, 2 * H :] + gates[:, :H] * kept[:, 2 * H :])
    return n + gates[:, H:] * (state - n)


@right
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    rows = []
    for one, old in zip(x, state):
        a = (weight_ih @ one + bias_ih).view(3, -1)
        b = (weight_hh @ old + bias_hh).view(3, -1)
        reset, update = torch.sigmoid(a[0] + b[0]), torch.sigmoid(a[1] + b[1])
        rows.append((1 - update) * torch.tanh(a[2] + reset * b[2]) + update * old)
    return torch.stack(rows, dim=0)


@right
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    H = state.shape[1]
    parts = []
    for k in range(3):
        rows = range(k * H, (k + 1) * H)
        ours = torch.einsum("be,he->bh", x, weight_ih[rows]) + bias_ih[rows]
        theirs = torch.einsum("bk,hk->bh", state, weight_hh[rows]) + bias_hh[rows]
        parts.append((ours, theirs))
    r = torch.sigmoid(sum(parts[0]))
    z = torch.sigmoid(sum(parts[1]))
    n = torch.tanh(parts[2][0] + r * parts[2][1])
    return torch.lerp(n, state, z)
