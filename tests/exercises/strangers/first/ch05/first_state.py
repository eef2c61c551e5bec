"""Answers to exercise ``first_state``, written from its statement alone."""

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("the forward half")
def first_state(states, weight):
    H = states.shape[-1] // 2
    return torch.tanh(states[:, 0, :H] @ weight.T)


@wrong("the last column: where the backward reading begins")
def first_state(states, weight):
    H = states.shape[-1] // 2
    return torch.tanh(states[:, -1, H:] @ weight.T)


@wrong("the forward state in the last column")
def first_state(states, weight):
    H = states.shape[-1] // 2
    return torch.tanh(states[:, -1, :H] @ weight.T)


@wrong("no tanh")
def first_state(states, weight):
    H = states.shape[-1] // 2
    return states[:, 0, H:] @ weight.T


@wrong("tanh before the matrix")
def first_state(states, weight):
    H = states.shape[-1] // 2
    return torch.tanh(states[:, 0, H:]) @ weight.T


@wrong("every second number, as if the directions were interleaved")
def first_state(states, weight):
    return torch.tanh(states[:, 0, 1::2] @ weight.T)


@wrong("the mean over the words")
def first_state(states, weight):
    H = states.shape[-1] // 2
    return torch.tanh(states[..., H:].mean(1) @ weight.T)


@wrong("the first sentence only")
def first_state(states, weight):
    H = states.shape[-1] // 2
    return torch.tanh(states[0, :1, H:] @ weight.T).expand(len(states), -1)


@wrong("the two directions added up")
def first_state(states, weight):
    forward, backward = states[:, 0].chunk(2, dim=-1)
    return torch.tanh((forward + backward) @ weight.T)


@wrong("the second word: positions counted from 1")
def first_state(states, weight):
    H = states.shape[-1] // 2
    return torch.tanh(states[:, min(1, states.shape[1] - 1), H:] @ weight.T)


@wrong("a dimension for the step stays: (B, 1, D)")
def first_state(states, weight):
    H = states.shape[-1] // 2
    return torch.tanh(states[:, :1, H:] @ weight.T)


@wrong("D numbers are cut off, not H")
def first_state(states, weight):
    H = weight.shape[1]
    start = min(weight.shape[0], H)
    return torch.tanh(states[:, 0, start : start + H] @ weight.T)


@wrong("the encoder's gradient is cut off")
def first_state(states, weight):
    H = states.shape[-1] // 2
    return torch.tanh(states[:, 0, H:].detach() @ weight.T)


@right
def first_state(states, weight):
    _, backward = states.chunk(2, dim=-1)
    return F.linear(backward[:, 0], weight).tanh()


@right
def first_state(states, weight):
    H = weight.shape[1]
    return torch.stack([torch.tanh(weight @ sentence[0][-H:]) for sentence in states])


@right
def first_state(states, weight):
    B, S, both = states.shape
    apart = states.reshape(B, S, 2, both // 2)
    return torch.einsum("dh,bh->bd", weight, apart[:, 0, 1]).tanh()
