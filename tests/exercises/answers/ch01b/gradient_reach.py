"""Answers to exercise ``gradient_reach``, as learners write them."""

import torch
from answering import wrong


@wrong("For inputs 1, 2, −1 [1.0, 0.5, 0.25] is expected")
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


@wrong("squares of lengths")
def gradient_reach(run, inputs):
    x = inputs.clone().requires_grad_()
    g = torch.autograd.grad(run(x)[-1].sum(), x)[0]
    total = (g * g).sum(1).flip(0)
    return total / total[0]
