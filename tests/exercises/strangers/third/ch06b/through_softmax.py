import torch
from answering import right, wrong


@wrong("the sum of g instead of the weighted mean")
def through_softmax(weights, gradient):
    return weights * (gradient - gradient.sum(-1, keepdim=True))


@wrong("a softmax of the weights once more")
def through_softmax(weights, gradient):
    w = weights.softmax(-1)
    return w * (gradient - (w * gradient).sum(-1, keepdim=True))


@wrong("the parentheses: the weighted mean is taken off after the weighing")
def through_softmax(weights, gradient):
    return weights * gradient - (weights * gradient).sum(-1, keepdim=True)


@right
def through_softmax(weights, gradient):
    jacobian = torch.diag_embed(weights) - weights.unsqueeze(-1) * weights.unsqueeze(-2)
    return torch.einsum("...jk,...j->...k", jacobian, gradient)


@right
def through_softmax(weights, gradient):
    if weights.ndim > 1:
        return torch.stack([through_softmax(w, g) for w, g in zip(weights, gradient)])
    mean = sum(a * g for a, g in zip(weights, gradient))
    return torch.stack([a * (g - mean) for a, g in zip(weights, gradient)])
