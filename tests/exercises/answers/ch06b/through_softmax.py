"""Answers to exercise ``through_softmax``, as learners write them."""

import torch
from answering import right, wrong


@wrong("its own weight only")
def through_softmax(weights, gradient):
    return gradient * weights * (1 - weights)


@wrong("the first half")
def through_softmax(weights, gradient):
    return weights * gradient


@wrong("Weigh it by α")
def through_softmax(weights, gradient):
    average = gradient.sum(-1, keepdim=True) / gradient.shape[-1]
    return weights * (gradient - average)


@wrong("The sign is turned round")
def through_softmax(weights, gradient):
    expected = torch.einsum("...s,...s->...", weights, gradient)
    return weights * (expected.unsqueeze(-1) - gradient)


@wrong("The last factor α is missing")
def through_softmax(weights, gradient):
    return gradient - (weights * gradient).sum(dim=-1, keepdim=True)


@wrong("The sum runs over everything")
def through_softmax(weights, gradient):
    return weights * gradient - weights * torch.sum(weights * gradient)


@wrong("comes back as it came in")
def through_softmax(weights, gradient):
    return gradient


@wrong("keepdim=True leaves it in place")
def through_softmax(weights, gradient):
    return weights * (gradient - torch.einsum("...s,...s->...", weights, gradient))


@wrong("The sum runs over the first dimension")
def through_softmax(weights, gradient):
    return weights * (gradient - (weights * gradient).sum(dim=0))


@wrong("This is the Jacobian of one vector")
def through_softmax(weights, gradient):
    jacobian = -torch.outer(weights, weights) + torch.diag(weights)
    return jacobian @ gradient


@wrong("Does each weight feel")
def through_softmax(weights, gradient):
    return weights * gradient * gradient


@right
def through_softmax(weights, gradient):
    weights, gradient = weights.double(), gradient.double()
    jacobian = torch.diag_embed(weights) - weights.unsqueeze(-1) * weights.unsqueeze(-2)
    return (jacobian @ gradient.unsqueeze(-1)).squeeze(-1)


@right
def through_softmax(weights, gradient):
    a, g = weights.numpy(), gradient.numpy()
    return a * g - a * (a * g).sum(axis=-1, keepdims=True)


@wrong("the Jacobian wants a column")
def through_softmax(weights, gradient):
    outer = weights.unsqueeze(-1) * weights.unsqueeze(-2)
    return (torch.diag_embed(weights) - outer) @ gradient


@wrong("By hand: the row has α = [0.5, 0.5]")
def through_softmax(weights, gradient):
    return 2 * weights * (gradient - (weights * gradient).sum(-1, keepdim=True))


@wrong("squeeze() without a number")
def through_softmax(weights, gradient):
    a, g = weights.squeeze(), gradient.squeeze()
    return a * (g - (a * g).sum(-1, keepdim=True))
