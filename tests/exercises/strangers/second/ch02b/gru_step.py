"""Answers to exercise ``gru_step``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("z and 1 - z are swapped: z = 1 takes the candidate")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    rx, zx, nx = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    rh, zh, nh = (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = torch.sigmoid(rx + rh), torch.sigmoid(zx + zh)
    n = torch.tanh(nx + r * nh)
    return z * n + (1 - z) * state


@wrong("the blocks are read as z, r, n")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    zx, rx, nx = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    zh, rh, nh = (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = torch.sigmoid(rx + rh), torch.sigmoid(zx + zh)
    n = torch.tanh(nx + r * nh)
    return (1 - z) * n + z * state


@wrong("r multiplies the state before the matrix, as in the paper")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    H = state.shape[1]
    rx, zx, nx = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    rh, zh, _ = (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = torch.sigmoid(rx + rh), torch.sigmoid(zx + zh)
    n = torch.tanh(nx + (r * state) @ weight_hh[2 * H :].T + bias_hh[2 * H :])
    return (1 - z) * n + z * state


@wrong("the bias of the candidate stands outside the reset gate")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    H = state.shape[1]
    rx, zx, nx = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    rh, zh, nh = (state @ weight_hh.T).chunk(3, dim=-1)
    r = torch.sigmoid(rx + rh + bias_hh[:H])
    z = torch.sigmoid(zx + zh + bias_hh[H : 2 * H])
    n = torch.tanh(nx + r * nh + bias_hh[2 * H :])
    return (1 - z) * n + z * state


@wrong("the reset gate multiplies the part from x as well")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    r, z, n = (x @ weight_ih.T + bias_ih + state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = r.sigmoid(), z.sigmoid()
    n = torch.tanh(r * n)
    return (1 - z) * n + z * state


@wrong("the reset gate is left out")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    r, z, n = (x @ weight_ih.T + bias_ih + state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    z = z.sigmoid()
    return (1 - z) * n.tanh() + z * state


@wrong("the candidate gets a sigmoid")
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    rx, zx, nx = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    rh, zh, nh = (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = torch.sigmoid(rx + rh), torch.sigmoid(zx + zh)
    n = torch.sigmoid(nx + r * nh)
    return (1 - z) * n + z * state


@right
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    H = state.shape[-1]

    def part(k):
        rows = slice(k * H, (k + 1) * H)
        return x @ weight_ih[rows].T + bias_ih[rows], state @ weight_hh[rows].T + bias_hh[rows]

    r = torch.sigmoid(sum(part(0)))
    z = torch.sigmoid(sum(part(1)))
    from_x, from_h = part(2)
    n = torch.tanh(from_x + r * from_h)
    return n + z * (state - n)


@right
def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):
    a = torch.einsum("be,ge->bg", x, weight_ih) + bias_ih
    b = torch.einsum("bh,gh->bg", state, weight_hh) + bias_hh
    a, b = a.unflatten(1, (3, -1)), b.unflatten(1, (3, -1))
    gates = 1 / (1 + torch.exp(-(a[:, :2] + b[:, :2])))
    n = torch.tanh(a[:, 2] + gates[:, 0] * b[:, 2])
    return torch.lerp(n, state, gates[:, 1])
