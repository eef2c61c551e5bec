"""Answers to exercise ``attentional_vector``, as learners write them."""

import torch
from answering import right, wrong


@wrong("The state comes first here")
def attentional_vector(context, state, weight):
    both = torch.cat((state, context), dim=2)
    return torch.tanh(torch.nn.functional.linear(both, weight))


@wrong("Where is the tanh")
def attentional_vector(context, state, weight):
    return torch.cat([context, state], -1) @ weight.transpose(0, 1)


@wrong("The tanh comes last")
def attentional_vector(context, state, weight):
    return torch.tanh(torch.cat([context, state], dim=-1)) @ weight.T


@wrong("This is a softmax")
def attentional_vector(context, state, weight):
    logits = torch.cat([context, state], dim=-1) @ weight.T
    return torch.softmax(logits, dim=-1)


@wrong("Only the context is used")
def attentional_vector(context, state, weight):
    width = context.size(-1)
    return (context @ weight[:, :width].T).tanh()


@wrong("below one another")
def attentional_vector(context, state, weight):
    both = torch.cat([context, state], dim=1)
    return torch.tanh(both)


@wrong("W_c is cut in the wrong place")
def attentional_vector(context, state, weight):
    left, right_half = weight.chunk(2, dim=1)
    one, two = min(left.shape[1], context.shape[2]), min(right_half.shape[1], state.shape[2])
    of_state = state[..., :two] @ right_half[:, :two].T
    return torch.tanh(context[..., :one] @ left[:, :one].T + of_state)


@wrong("bent one by one")
def attentional_vector(context, state, weight):
    He = context.shape[-1]
    return torch.tanh(context @ weight[:, :He].T) + torch.tanh(state @ weight[:, He:].T)


@wrong("state of the step before")
def attentional_vector(context, state, weight):
    before = torch.cat([torch.zeros_like(state[:, :1]), state[:, :-1]], dim=1)
    return torch.tanh(torch.cat([context, before], dim=-1) @ weight.T)


@right
def attentional_vector(context, state, weight):
    He = context.shape[-1]
    return torch.tanh((context @ weight[:, :He].T + state @ weight[:, He:].T).double())


@right
def attentional_vector(context, state, weight):
    both = torch.cat([context, state], dim=-1)
    return torch.stack([torch.tanh(weight @ row) for row in both.flatten(0, 1)]).view(
        *both.shape[:2], -1
    )


@wrong("By hand: [c ; s] is [1, 0.5] there")
def attentional_vector(context, state, weight):
    return -torch.tanh(torch.cat([context, state], dim=-1) @ weight.T)
