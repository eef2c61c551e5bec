"""Answers to exercise ``gradients_by_path``, as learners write them."""

import torch
from answering import wrong


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


@wrong("element 0 of tensors does not require grad")
def gradients_by_path(encode, decode, x):
    states = encode(x)
    first = torch.autograd.grad(decode(states, states[-1].detach()), x)[0]
    return first, torch.autograd.grad(decode(states.detach(), states[-1]), x)[0]
