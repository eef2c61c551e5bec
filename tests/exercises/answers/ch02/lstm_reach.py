"""Answers to exercise ``lstm_reach``, as learners write them."""

from answering import wrong


@wrong("The list runs from the first step to the last")
def lstm_reach(step, inputs, state):
    import torch

    hs, cs = [], []
    for t in range(inputs.size(1)):
        h, c = step(inputs[:, t], state)
        state = (h, c)
        hs.append(h)
        cs.append(c)
    gs = torch.autograd.grad(hs[-1].sum(), cs)
    r = torch.tensor([float(g.norm()) for g in reversed(gs)])
    return (r / r[0]).flip(0)


@wrong("These are the bare lengths")
def lstm_reach(step, inputs, state):
    import torch

    hs, cs = [], []
    for t in range(inputs.size(1)):
        h, c = step(inputs[:, t], state)
        state = (h, c)
        hs.append(h)
        cs.append(c)
    gs = torch.autograd.grad(hs[-1].sum(), cs)
    r = torch.tensor([float(g.norm()) for g in reversed(gs)])
    return r


@wrong("with respect to the hidden states")
def lstm_reach(step, inputs, state):
    import torch

    hs, cs = [], []
    for t in range(inputs.size(1)):
        h, c = step(inputs[:, t], state)
        state = (h, c)
        hs.append(h)
        cs.append(c)
    gs = torch.autograd.grad(h.sum(), hs)
    r = torch.tensor([float(g.norm()) for g in reversed(gs)])
    return r / r[0]


@wrong("These are squares of lengths")
def lstm_reach(step, inputs, state):
    import torch

    hs, cs = [], []
    for t in range(inputs.size(1)):
        h, c = step(inputs[:, t], state)
        state = (h, c)
        hs.append(h)
        cs.append(c)
    gs = torch.autograd.grad(hs[-1].sum(), cs)
    r = torch.stack([(g * g).sum() for g in gs[::-1]])
    return r / r[0]


@wrong("The hidden states of all steps")
def lstm_reach(step, inputs, state):
    import torch

    hs, cs = [], []
    for t in range(inputs.size(1)):
        h, c = step(inputs[:, t], state)
        state = (h, c)
        hs.append(h)
        cs.append(c)
    gs = torch.autograd.grad(torch.stack(hs).sum(), cs)
    r = torch.tensor([float(g.norm()) for g in reversed(gs)])
    return r / r[0]


@wrong("by the largest of them")
def lstm_reach(step, inputs, state):
    import torch

    hs, cs = [], []
    for t in range(inputs.size(1)):
        h, c = step(inputs[:, t], state)
        state = (h, c)
        hs.append(h)
        cs.append(c)
    gs = torch.autograd.grad(hs[-1].sum(), cs)
    r = torch.tensor([float(g.norm()) for g in reversed(gs)])
    return r / max(r)


@wrong("by the length at the first step")
def lstm_reach(step, inputs, state):
    import torch

    hs, cs = [], []
    for t in range(inputs.size(1)):
        h, c = step(inputs[:, t], state)
        state = (h, c)
        hs.append(h)
        cs.append(c)
    gs = torch.autograd.grad(hs[-1].sum(), cs)
    r = torch.tensor([float(g.norm()) for g in reversed(gs)])
    return r / r[-1]
