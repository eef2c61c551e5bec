"""Answers to exercise ``gradient_reach``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("not turned round: position 0 comes first")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    sizes = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0].norm(dim=1)
    return sizes / sizes[-1]


@wrong("turned round but not divided by distance 0")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    return torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0].norm(dim=1).flip(0)


@wrong("relative to the largest of all")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    sizes = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0].norm(dim=1).flip(0)
    return sizes / sizes.max()


@wrong("divided by distance 0 before turning: the wrong end becomes 1")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    sizes = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0].norm(dim=1)
    return (sizes / sizes[0]).flip(0)


@wrong("the sum over all states, not the last")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    sizes = torch.autograd.grad(run(inputs).sum(), inputs)[0].norm(dim=1).flip(0)
    return sizes / sizes[0]


@wrong("the length down the columns: one for each feature")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    sizes = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0].norm(dim=0).flip(0)
    return sizes / sizes[0]


@wrong("squared lengths")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    sizes = (torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0] ** 2).sum(1).flip(0)
    return sizes / sizes[0]


@wrong("adds up absolute values: not the length of the vector")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    sizes = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0].abs().sum(1).flip(0)
    return sizes / sizes[0]


@wrong("the gradient of the length of the last state, not of its sum")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    sizes = torch.autograd.grad(run(inputs)[-1].norm(), inputs)[0].norm(dim=1).flip(0)
    return sizes / sizes[0]


@wrong("the first unit of the last state only")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    sizes = torch.autograd.grad(run(inputs)[-1, 0], inputs)[0].norm(dim=1).flip(0)
    return sizes / sizes[0]


@wrong("distances from 1 on, one number short")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    sizes = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0].norm(dim=1).flip(0)
    return (sizes / sizes[0])[1:]


@wrong("gradient times input")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    gradient = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0]
    sizes = (gradient * inputs).detach().norm(dim=1).flip(0)
    return sizes / sizes[0]


@wrong("every step compared with the one after it, not with distance 0")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    sizes = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0].norm(dim=1).flip(0)
    return torch.cat([torch.ones(1), sizes[1:] / sizes[:-1]])


@right
def gradient_reach(run, inputs):
    x = inputs.clone().detach().requires_grad_(True)
    run(x)[-1].sum().backward()
    T = len(x)
    lengths = [x.grad[T - 1 - d].norm().item() for d in range(T)]
    return torch.tensor([length / lengths[0] for length in lengths])


@right
def gradient_reach(run, inputs):
    jacobian = torch.autograd.functional.jacobian(lambda x: run(x)[-1], inputs.detach())
    gradient = jacobian.sum(0)  # (T, E)
    lengths = torch.sqrt(torch.einsum("te,te->t", gradient, gradient))
    return torch.flip(lengths, [0]) / lengths[-1]
