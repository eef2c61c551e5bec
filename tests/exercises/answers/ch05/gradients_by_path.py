"""Answers to exercise ``gradients_by_path``, as learners write them."""

from answering import wrong


@wrong("The two are exchanged")
def gradients_by_path(encode, decode, x):
    import torch

    out = []
    for cut in ("keys", "last"):
        y = x.clone().requires_grad_(True)
        h = encode(y)
        keys = h.detach() if cut == "keys" else h
        last = h[-1].detach() if cut == "last" else h[-1]
        out.append(torch.autograd.grad(decode(keys, last), y)[0])
    return tuple(out)


@wrong("Was nothing detached")
def gradients_by_path(encode, decode, x):
    y = x.clone().requires_grad_(True)
    h = encode(y)
    decode(h, h[-1]).backward()
    return y.grad, y.grad


@wrong("the keys must be detached")
def gradients_by_path(encode, decode, x):
    y = x.clone().requires_grad_(True)
    h = encode(y)
    decode(h, h[-1].detach()).backward()
    z = x.clone().requires_grad_(True)
    h = encode(z)
    decode(h, h[-1]).backward()
    return y.grad, z.grad


@wrong("has one .grad collected both")
def gradients_by_path(encode, decode, x):
    y = x.clone().requires_grad_(True)
    h = encode(y)
    decode(h, h[-1].detach()).backward()
    first = y.grad
    h = encode(y)
    decode(h.detach(), h[-1]).backward()
    return first, y.grad


@wrong("keep its signs")
def gradients_by_path(encode, decode, x):
    import torch

    y = x.clone().requires_grad_(True)
    h = encode(y)
    a = torch.autograd.grad(decode(h, h[-1].detach()), y, retain_graph=True)[0]
    b = torch.autograd.grad(decode(h.detach(), h[-1]), y)[0]
    return torch.abs(a), torch.abs(b)


@wrong("add up to a length of")
def gradients_by_path(encode, decode, x):
    import torch

    y = x.clone().requires_grad_(True)
    h = encode(y)
    keys = torch.autograd.grad(decode(h, h[-1].detach()), y)[0]
    return keys, torch.zeros_like(keys)
