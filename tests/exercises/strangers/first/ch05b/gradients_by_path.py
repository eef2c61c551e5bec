"""Answers to exercise ``gradients_by_path``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the two exchanged: what is detached is taken for what is left")
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    one = torch.autograd.grad(decode(states.detach(), states[-1]), x, retain_graph=True)[0]
    two = torch.autograd.grad(decode(states, states[-1].detach()), x)[0]
    return one, two


@wrong("nothing is detached: twice the whole gradient")
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    whole = torch.autograd.grad(decode(states, states[-1]), x)[0]
    return whole, whole.clone()


@wrong("x.grad adds up: the second holds the first as well")
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    decode(states, states[-1].detach()).backward()
    keys_path = x.grad.clone()
    states = encode(x)
    decode(states.detach(), states[-1]).backward()
    return keys_path, x.grad


@wrong("zeros instead of detached: the loss is another one")
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    zeros = torch.zeros_like
    one = torch.autograd.grad(decode(states, zeros(states[-1])), x, retain_graph=True)[0]
    two = torch.autograd.grad(decode(zeros(states), states[-1]), x)[0]
    return one, two


@wrong("the last row of the keys is detached as well")
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    keys = torch.cat([states[:-1], states[-1:].detach()])
    one = torch.autograd.grad(decode(keys, states[-1].detach()), x, retain_graph=True)[0]
    two = torch.autograd.grad(decode(states.detach(), states[-1]), x)[0]
    return one, two


@wrong("the first state where the last is meant")
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    one = torch.autograd.grad(decode(states, states[0].detach()), x, retain_graph=True)[0]
    two = torch.autograd.grad(decode(states.detach(), states[0]), x)[0]
    return one, two


@wrong("lengths, a number for each word, not the gradients")
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    one = torch.autograd.grad(decode(states, states[-1].detach()), x, retain_graph=True)[0]
    two = torch.autograd.grad(decode(states.detach(), states[-1]), x)[0]
    return one.norm(dim=1), two.norm(dim=1)


@wrong("the second is the whole gradient")
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    one = torch.autograd.grad(decode(states, states[-1].detach()), x, retain_graph=True)[0]
    two = torch.autograd.grad(decode(states, states[-1]), x)[0]
    return one, two


@wrong("cut within the input: the last word is taken for the last state")
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(torch.cat([x[:-1], x[-1:].detach()]))
    one = torch.autograd.grad(decode(states, states[-1]), x)[0]
    states = encode(torch.cat([x[:-1].detach(), x[-1:]]))
    two = torch.autograd.grad(decode(states, states[-1]), x)[0]
    return one, two


@wrong("the sum of both roads")
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    one = torch.autograd.grad(decode(states, states[-1].detach()), x, retain_graph=True)[0]
    two = torch.autograd.grad(decode(states.detach(), states[-1]), x)[0]
    return one + two


@wrong("the graph is gone after the first gradient")
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    one = torch.autograd.grad(decode(states, states[-1].detach()), x)[0]
    two = torch.autograd.grad(decode(states.detach(), states[-1]), x)[0]
    return one, two


@right
def gradients_by_path(encode, decode, x):
    def gradient(cut_keys, cut_last):
        fresh = x.clone().detach().requires_grad_(True)
        states = encode(fresh)
        keys, last = states, states[-1]
        if cut_keys:
            keys = keys.detach()
        if cut_last:
            last = last.detach()
        decode(keys, last).backward()
        return fresh.grad

    return gradient(False, True), gradient(True, False)


@right
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    keys, last = states.detach().requires_grad_(), states[-1].detach().requires_grad_()
    at_keys, at_last = torch.autograd.grad(decode(keys, last), [keys, last])
    through_keys = torch.autograd.grad(states, x, at_keys, retain_graph=True)[0]
    through_last = torch.autograd.grad(states[-1], x, at_last)[0]
    return [through_keys, through_last]


@right
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    whole = torch.autograd.grad(decode(states, states[-1]), x, retain_graph=True)[0]
    through_keys = torch.autograd.grad(decode(states, states[-1].detach()), x)[0]
    return through_keys, whole - through_keys
