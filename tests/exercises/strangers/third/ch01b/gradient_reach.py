import torch
from answering import right, wrong


@wrong("in the order of the positions: not turned round")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    g = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0]
    lengths = g.norm(dim=1)
    return lengths / lengths[-1]


@wrong("the sum of all states instead of the last alone")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    g = torch.autograd.grad(run(inputs).sum(), inputs)[0]
    lengths = g.norm(dim=1).flip(0)
    return lengths / lengths[0]


@wrong("absolute lengths, not relative to distance 0")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    g = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0]
    return g.norm(dim=1).flip(0)


@wrong("relative to the largest length, wherever that is")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    g = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0]
    lengths = g.norm(dim=1).flip(0)
    return lengths / lengths.max()


@wrong("the norm runs over the positions, one for each feature")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    g = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0]
    lengths = g.norm(dim=0).flip(0)
    return lengths / lengths[0]


@wrong("the sum of the gradient's numbers instead of its length")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    g = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0]
    lengths = g.sum(dim=1).abs().flip(0)
    return lengths / lengths[0]


@wrong("squared lengths: the root is forgotten")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    g = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0]
    lengths = (g**2).sum(dim=1).flip(0)
    return lengths / lengths[0]


@wrong("divided before it is turned round, so relative to the first position")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    g = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0]
    lengths = g.norm(dim=1)
    return (lengths / lengths[0]).flip(0)


@wrong("the norm of the last state is differentiated, not the sum of its numbers")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    g = torch.autograd.grad(run(inputs)[-1].norm(), inputs)[0]
    lengths = g.norm(dim=1).flip(0)
    return lengths / lengths[0]


@wrong("one too few: begins with distance 1 after dividing")
def gradient_reach(run, inputs):
    inputs = inputs.detach().requires_grad_()
    g = torch.autograd.grad(run(inputs)[-1].sum(), inputs)[0]
    lengths = g.norm(dim=1).flip(0)
    return lengths[1:] / lengths[0]


@right
def gradient_reach(run, inputs):
    x = inputs.clone().detach()
    x.requires_grad = True
    run(x)[-1].sum().backward()
    T = len(x)
    base = x.grad[T - 1].pow(2).sum().sqrt()
    return torch.stack([x.grad[T - 1 - d].pow(2).sum().sqrt() / base for d in range(T)])


@right
def gradient_reach(run, inputs):
    jacobian = torch.autograd.functional.jacobian(lambda x: run(x)[-1], inputs.detach())
    lengths = torch.linalg.vector_norm(jacobian.sum(0), dim=-1)
    lengths = lengths[torch.arange(len(inputs) - 1, -1, -1)]
    return lengths / lengths[:1]
