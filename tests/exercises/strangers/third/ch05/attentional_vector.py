import torch
from answering import right, wrong


@wrong("the state stands before the context")
def attentional_vector(context, state, weight):
    return torch.tanh(torch.cat([state, context], dim=-1) @ weight.T)


@wrong("no tanh")
def attentional_vector(context, state, weight):
    return torch.cat([context, state], dim=-1) @ weight.T


@wrong("a sigmoid")
def attentional_vector(context, state, weight):
    return torch.sigmoid(torch.cat([context, state], dim=-1) @ weight.T)


@wrong("tanh before the matrix")
def attentional_vector(context, state, weight):
    return torch.tanh(torch.cat([context, state], dim=-1)) @ weight.T


@wrong("a tanh for each of the two parts")
def attentional_vector(context, state, weight):
    He = context.shape[-1]
    return torch.tanh(context @ weight[:, :He].T) + torch.tanh(state @ weight[:, He:].T)


@wrong("joined along time: twice as many steps")
def attentional_vector(context, state, weight):
    He = context.shape[-1]
    parts = [context @ weight[:, :He].T, state @ weight[:, He:].T]
    return torch.tanh(torch.cat(parts, dim=1))


@wrong("the columns of the weight are cut from the wrong end: the context meets the last ones")
def attentional_vector(context, state, weight):
    Hd = state.shape[-1]
    return torch.tanh(context @ weight[:, Hd:].T + state @ weight[:, :Hd].T)


@wrong("the state is left out: only the context's columns are used")
def attentional_vector(context, state, weight):
    return torch.tanh(context @ weight[:, : context.shape[-1]].T)


@wrong("the state of the first step for all steps")
def attentional_vector(context, state, weight):
    both = torch.cat([context, state[:, :1].expand_as(state)], dim=-1)
    return torch.tanh(both @ weight.T)


@wrong("the weight is not transposed")
def attentional_vector(context, state, weight):
    return torch.tanh(torch.cat([context, state], dim=-1) @ weight)


@right
def attentional_vector(context, state, weight):
    left, right_ = weight.split([context.shape[-1], state.shape[-1]], dim=1)
    a = torch.einsum("bte,oe->bto", context, left)
    b = torch.einsum("btd,od->bto", state, right_)
    return (a + b).tanh()


@right
def attentional_vector(context, state, weight):
    steps = []
    for c, s in zip(context.unbind(1), state.unbind(1)):
        steps.append(torch.tanh((weight @ torch.cat([c, s], dim=1).T).T))
    return torch.stack(steps, dim=1)
