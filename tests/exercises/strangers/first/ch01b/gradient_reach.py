"""Answers to exercise ``gradient_reach``, written from its statement alone."""

import torch
from answering import wrong


@wrong("not turned round: position 0 comes first")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    sizes = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0].norm(dim=1)
    return sizes / sizes[-1]


@wrong("turned round but not divided by distance 0")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    return torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0].norm(dim=1).flip(0)


@wrong("the sum over all states, not the last")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    sizes = torch.autograd.grad(run(inputs).sum(), inputs)[0].norm(dim=1).flip(0)
    return sizes / sizes[0]


@wrong("squared lengths")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    sizes = (torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0] ** 2).sum(1).flip(0)
    return sizes / sizes[0]


@wrong("the first unit of the last state only")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    sizes = torch.autograd.grad(run(inputs)[-1, 0], inputs)[0].norm(dim=1).flip(0)
    return sizes / sizes[0]
