"""Answers to exercise ``gradient_reach``, as learners write them."""

import torch
from answering import right, wrong


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


@wrong("They are divided by the largest of all.")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    sizes = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0].norm(dim=1).flip(0)
    return sizes / sizes.max()


@wrong("They are divided by the length at the first word.")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    sizes = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0].norm(dim=1)
    return (sizes / sizes[0]).flip(0)


@wrong("This runs down the columns:")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    sizes = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0].norm(dim=0).flip(0)
    return sizes / sizes[0]


@wrong("The sizes of the numbers are added up or averaged, or the largest is")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    sizes = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0].abs().sum(1).flip(0)
    return sizes / sizes[0]


@wrong("The gradient of another number is taken:")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    sizes = torch.autograd.grad(run(inputs)[-1].norm(), inputs)[0].norm(dim=1).flip(0)
    return sizes / sizes[0]


@wrong("Distance 0 itself is missing:")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    sizes = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0].norm(dim=1).flip(0)
    return (sizes / sizes[0])[1:]


@wrong("The gradient is multiplied with the inputs.")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    gradient = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0]
    sizes = (gradient * inputs).detach().norm(dim=1).flip(0)
    return sizes / sizes[0]


@wrong("Each length is divided by the one before it.")
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
