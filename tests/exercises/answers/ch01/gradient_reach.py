"""Answers to exercise ``gradient_reach``, as learners write them."""

import torch
from answering import wrong


@wrong("This runs from the first word to the last")
def gradient_reach(run, inputs):
    x = inputs.clone().requires_grad_()
    run(x)[-1].sum().backward()
    norms = x.grad.norm(dim=-1)
    return norms / norms[-1]


@wrong("relative to the first word")
def gradient_reach(run, inputs):
    x = inputs.clone().requires_grad_()
    run(x)[-1].sum().backward()
    norms = x.grad.norm(dim=-1)
    return norms / norms[0]


@wrong("divide by the one at distance 0")
def gradient_reach(run, inputs):
    x = inputs.clone().requires_grad_()
    run(x)[-1].sum().backward()
    return torch.flip(x.grad.norm(dim=1), (0,))


@wrong("The sum of *all* states is taken")
def gradient_reach(run, inputs):
    x = inputs.clone().requires_grad_()
    run(x).sum().backward()
    norms = x.grad.norm(dim=1).flip(0)
    return norms / norms[0]


@wrong("signs cancel")
def gradient_reach(run, inputs):
    x = inputs.clone().requires_grad_()
    g = torch.autograd.grad(run(x)[-1].sum(), x)[0]
    total = g.sum(1).flip(0)
    return total / total[0]


@wrong("squares of lengths")
def gradient_reach(run, inputs):
    x = inputs.clone().requires_grad_()
    g = torch.autograd.grad(run(x)[-1].sum(), x)[0]
    total = (g * g).sum(1).flip(0)
    return total / total[0]


@wrong("These are the lengths of the states")
def gradient_reach(run, inputs):
    states = run(inputs)
    norms = states.norm(dim=1).flip(0)
    return norms / norms[0]


@wrong("Only one number of the last state")
def gradient_reach(run, inputs):
    inputs = inputs.clone().requires_grad_()
    run(inputs)[-1][0].backward()
    norms = inputs.grad.norm(dim=1).flip(0)
    return norms / norms[0]
