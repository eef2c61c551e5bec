"""Answers to exercise ``attentional_vector``, written from its statement alone."""

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("state first, context second")
def attentional_vector(context, state, weight):
    return torch.tanh(torch.cat([state, context], dim=-1) @ weight.T)


@wrong("no tanh")
def attentional_vector(context, state, weight):
    return torch.cat([context, state], dim=-1) @ weight.T


@wrong("tanh before the matrix")
def attentional_vector(context, state, weight):
    return torch.tanh(torch.cat([context, state], dim=-1)) @ weight.T


@wrong("two tanhs, added")
def attentional_vector(context, state, weight):
    He = context.shape[-1]
    return torch.tanh(context @ weight[:, :He].T) + torch.tanh(state @ weight[:, He:].T)


@wrong("the state's part is forgotten")
def attentional_vector(context, state, weight):
    return torch.tanh(context @ weight[:, : context.shape[-1]].T)


@wrong("a softmax already here")
def attentional_vector(context, state, weight):
    return torch.tanh(torch.cat([context, state], dim=-1) @ weight.T).softmax(-1)


@wrong("sigmoid in place of tanh")
def attentional_vector(context, state, weight):
    return torch.sigmoid(torch.cat([context, state], dim=-1) @ weight.T)


@wrong("the last step only")
def attentional_vector(context, state, weight):
    return torch.tanh(torch.cat([context, state], dim=-1) @ weight.T)[:, -1]


@wrong("cut in the middle of the matrix: wrong where He and Hd differ")
def attentional_vector(context, state, weight):
    left, right_half = weight.chunk(2, dim=1)
    one, two = min(left.shape[1], context.shape[2]), min(right_half.shape[1], state.shape[2])
    total = context[..., :one] @ left[:, :one].T + state[..., :two] @ right_half[:, :two].T
    return torch.tanh(total)


@wrong("the state is added on again behind the tanh")
def attentional_vector(context, state, weight):
    new = torch.tanh(torch.cat([context, state], dim=-1) @ weight.T)
    size = min(new.shape[-1], state.shape[-1])
    new[..., :size] += state[..., :size]
    return new


@wrong("the matrix from the left without a transpose: fits square matrices only")
def attentional_vector(context, state, weight):
    return torch.tanh(torch.cat([context, state], dim=-1) @ weight)


@wrong("the state of the step before")
def attentional_vector(context, state, weight):
    before = torch.cat([torch.zeros_like(state[:, :1]), state[:, :-1]], dim=1)
    return torch.tanh(torch.cat([context, before], dim=-1) @ weight.T)


@right
def attentional_vector(context, state, weight):
    He = context.shape[-1]
    return torch.tanh(F.linear(context, weight[:, :He]) + F.linear(state, weight[:, He:]))


@right
def attentional_vector(context, state, weight):
    steps = []
    for t in range(state.size(1)):
        both = torch.hstack([context[:, t], state[:, t]])
        steps.append((weight @ both.T).T.tanh())
    return torch.stack(steps, dim=1)


@right
def attentional_vector(context, state, weight):
    both = torch.concat((context, state), -1)
    return torch.einsum("oi,bti->bto", weight, both).tanh()
