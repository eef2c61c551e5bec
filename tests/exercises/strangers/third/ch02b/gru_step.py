import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("the mix is swapped: z lets the new in and 1 − z keeps the old")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    xr, xz, xn = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    hr, hz, hn = (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = torch.sigmoid(xr + hr), torch.sigmoid(xz + hz)
    n = torch.tanh(xn + r * hn)
    return z * n + (1 - z) * state


@wrong("the blocks are taken in the order z, r, n")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    xz, xr, xn = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    hz, hr, hn = (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = torch.sigmoid(xr + hr), torch.sigmoid(xz + hz)
    n = torch.tanh(xn + r * hn)
    return (1 - z) * n + z * state


@wrong("the reset gate multiplies the state before the matrix, as in the paper")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    H = state.shape[1]
    sums = x @ weight_ih.T + bias_ih
    back = state @ weight_hh.T + bias_hh
    r = torch.sigmoid(sums[:, :H] + back[:, :H])
    z = torch.sigmoid(sums[:, H : 2 * H] + back[:, H : 2 * H])
    hn = (r * state) @ weight_hh[2 * H :].T + bias_hh[2 * H :]
    n = torch.tanh(sums[:, 2 * H :] + hn)
    return (1 - z) * n + z * state


@wrong("the bias of the candidate's recurrent part stands outside the reset gate")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    H = state.shape[1]
    xr, xz, xn = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    hr, hz, hn = (state @ weight_hh.T).chunk(3, dim=-1)
    r = torch.sigmoid(xr + hr + bias_hh[:H])
    z = torch.sigmoid(xz + hz + bias_hh[H : 2 * H])
    n = torch.tanh(xn + r * hn + bias_hh[2 * H :])
    return (1 - z) * n + z * state


@wrong("the reset gate is not used: the candidate sees the whole state")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    sums = x @ weight_ih.T + bias_ih + state @ weight_hh.T + bias_hh
    r, z, n = sums.chunk(3, dim=-1)
    z = torch.sigmoid(z)
    return (1 - z) * torch.tanh(n) + z * state


@wrong("the reset gate multiplies the whole sum, the input's part as well")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    xr, xz, xn = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    hr, hz, hn = (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = torch.sigmoid(xr + hr), torch.sigmoid(xz + hz)
    n = torch.tanh(r * (xn + hn))
    return (1 - z) * n + z * state


@wrong("the candidate has a sigmoid")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    xr, xz, xn = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    hr, hz, hn = (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = torch.sigmoid(xr + hr), torch.sigmoid(xz + hz)
    n = torch.sigmoid(xn + r * hn)
    return (1 - z) * n + z * state


@wrong("the old state is not weighed: it is added whole")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    xr, xz, xn = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    hr, hz, hn = (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = torch.sigmoid(xr + hr), torch.sigmoid(xz + hz)
    n = torch.tanh(xn + r * hn)
    return (1 - z) * n + state


@wrong("a tanh more round the new state, as an LSTM reads its cell")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    xr, xz, xn = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    hr, hz, hn = (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = torch.sigmoid(xr + hr), torch.sigmoid(xz + hz)
    n = torch.tanh(xn + r * hn)
    return torch.tanh((1 - z) * n + z * state)


@right
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    seen = F.linear(x, weight_ih, bias_ih).unflatten(1, (3, -1))
    kept = F.linear(state, weight_hh, bias_hh).unflatten(1, (3, -1))
    r, z = (seen + kept)[:, :2].sigmoid().unbind(1)
    candidate = (seen[:, 2] + r * kept[:, 2]).tanh()
    return torch.lerp(candidate, state, z)


@right
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    H = state.shape[-1]
    W, U = weight_ih.split(H), weight_hh.split(H)
    b, d = bias_ih.split(H), bias_hh.split(H)
    rows = []
    for word, old in zip(x, state):
        r = torch.sigmoid(W[0] @ word + b[0] + U[0] @ old + d[0])
        z = torch.sigmoid(W[1] @ word + b[1] + U[1] @ old + d[1])
        n = torch.tanh(W[2] @ word + b[2] + r * (U[2] @ old + d[2]))
        rows.append(n + z * (old - n))
    return torch.stack(rows)
