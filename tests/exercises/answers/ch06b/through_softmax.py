"""Answers to exercise ``through_softmax``, as learners write them."""

import torch
from answering import right, wrong


@wrong("its own weight only")
def through_softmax(weights, gradient):
    return gradient * weights * (1 - weights)


@wrong("The sum runs over everything")
def through_softmax(weights, gradient):
    return weights * gradient - weights * torch.sum(weights * gradient)


@wrong("keepdim=True leaves it in place")
def through_softmax(weights, gradient):
    return weights * (gradient - torch.einsum("...s,...s->...", weights, gradient))


@right
def through_softmax(weights, gradient):
    weights, gradient = weights.double(), gradient.double()
    jacobian = torch.diag_embed(weights) - weights.unsqueeze(-1) * weights.unsqueeze(-2)
    return (jacobian @ gradient.unsqueeze(-1)).squeeze(-1)


@right
def through_softmax(weights, gradient):
    a, g = weights.numpy(), gradient.numpy()
    return a * g - a * (a * g).sum(axis=-1, keepdims=True)


@wrong("By hand: the row has α = [0.5, 0.5]")
def through_softmax(weights, gradient):
    return 2 * weights * (gradient - (weights * gradient).sum(-1, keepdim=True))
