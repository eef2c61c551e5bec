"""Answers to exercise ``through_softmax``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("only the diagonal of the Jacobian: α(1 − α)g")
def through_softmax(weights, gradient):
    return weights * (1 - weights) * gradient


@wrong("the plain mean instead of the weighted one")
def through_softmax(weights, gradient):
    return weights * (gradient - gradient.mean(-1, keepdim=True))


@wrong("summed over everything, not over the last dimension")
def through_softmax(weights, gradient):
    return weights * (gradient - (weights * gradient).sum())


@wrong("keepdim forgotten: right for one vector, wrong or an error for several")
def through_softmax(weights, gradient):
    return weights * (gradient - (weights * gradient).sum(-1))


@wrong("summed over the first dimension")
def through_softmax(weights, gradient):
    return weights * (gradient - (weights * gradient).sum(0, keepdim=True))


@wrong("the outer weight is missing")
def through_softmax(weights, gradient):
    return gradient - (weights * gradient).sum(-1, keepdim=True)


@wrong("the sign is turned round")
def through_softmax(weights, gradient):
    return weights * ((weights * gradient).sum(-1, keepdim=True) - gradient)


@wrong("the Jacobian of a single vector")
def through_softmax(weights, gradient):
    jacobian = torch.diag(weights) - torch.outer(weights, weights)
    return jacobian @ gradient


@wrong("the gradient that came in is changed")
def through_softmax(weights, gradient):
    gradient -= (weights * gradient).sum(-1, keepdim=True)
    gradient *= weights
    return gradient


@wrong("the weights are taken for scores: a second softmax")
def through_softmax(weights, gradient):
    a = weights.softmax(-1)
    return a * (gradient - (a * gradient).sum(-1, keepdim=True))


@right
def through_softmax(weights, gradient):
    jacobian = torch.diag_embed(weights) - weights.unsqueeze(-1) * weights.unsqueeze(-2)
    return (jacobian @ gradient.unsqueeze(-1)).squeeze(-1)


@right
def through_softmax(weights, gradient):
    shape, size = weights.shape, weights.shape[-1]
    rows = []
    for a, g in zip(weights.reshape(-1, size), gradient.reshape(-1, size)):
        row = []
        for k in range(size):
            total = 0.0
            for j in range(size):
                total = total + g[j] * a[j] * ((1.0 if j == k else 0.0) - a[k])
            row.append(total)
        rows.append(torch.stack(row))
    return torch.stack(rows).reshape(shape)
