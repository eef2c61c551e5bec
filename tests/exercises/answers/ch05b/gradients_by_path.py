"""Answers to exercise ``gradients_by_path``, as learners write them."""

import torch
from answering import right, wrong


@wrong("The two are exchanged")
def gradients_by_path(encode, decode, x):
    out = []
    for cut in ("keys", "last"):
        y = x.clone().requires_grad_(True)
        h = encode(y)
        keys = h.detach() if cut == "keys" else h
        last = h[-1].detach() if cut == "last" else h[-1]
        out.append(torch.autograd.grad(decode(keys, last), y)[0])
    return tuple(out)


@wrong("The keys must be detached")
def gradients_by_path(encode, decode, x):
    y = x.clone().requires_grad_(True)
    h = encode(y)
    decode(h, h[-1].detach()).backward()
    z = x.clone().requires_grad_(True)
    h = encode(z)
    decode(h, h[-1]).backward()
    return y.grad, z.grad


@wrong("two paths are all there are")
def gradients_by_path(encode, decode, x):
    y = x.clone().requires_grad_(True)
    h = encode(y)
    keys = torch.autograd.grad(decode(h, h[-1].detach()), y)[0]
    return keys, torch.zeros_like(keys)


@right
def gradients_by_path(encode, decode, x):
    x = x.detach().requires_grad_()
    states = encode(x)
    whole = torch.autograd.grad(decode(states, states[-1]), x, retain_graph=True)[0]
    through_keys = torch.autograd.grad(decode(states, states[-1].detach()), x)[0]
    return [through_keys.double(), whole - through_keys]


@right
def gradients_by_path(encode, decode, x):
    fresh = [x.clone().requires_grad_(True) for _ in range(2)]
    states = [encode(one) for one in fresh]
    decode(states[0], states[0][-1].detach()).backward()
    decode(states[1].detach(), states[1][-1]).backward()
    return fresh[0].grad, fresh[1].grad


@wrong("element 0 of tensors does not require grad")
def gradients_by_path(encode, decode, x):
    states = encode(x)
    first = torch.autograd.grad(decode(states, states[-1].detach()), x)[0]
    return first, torch.autograd.grad(decode(states.detach(), states[-1]), x)[0]
