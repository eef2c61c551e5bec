import torch
from answering import right, wrong


@wrong("only the diagonal: α(1 − α) g")
def through_softmax(weights, gradient):
    return weights * (1 - weights) * gradient


@wrong("the plain mean of g, not the one weighted by α")
def through_softmax(weights, gradient):
    return weights * (gradient - gradient.mean(-1, keepdim=True))


@wrong("the sum of g instead of the weighted mean")
def through_softmax(weights, gradient):
    return weights * (gradient - gradient.sum(-1, keepdim=True))


@wrong("the weighted mean over all dimensions")
def through_softmax(weights, gradient):
    return weights * (gradient - (weights * gradient).sum())


@wrong("over the first dimension")
def through_softmax(weights, gradient):
    return weights * (gradient - (weights * gradient).sum(0, keepdim=True))


@wrong("the sign")
def through_softmax(weights, gradient):
    return weights * ((weights * gradient).sum(-1, keepdim=True) - gradient)


@wrong("without the factor α in front")
def through_softmax(weights, gradient):
    return gradient - (weights * gradient).sum(-1, keepdim=True)


@wrong("only the part of the δ: α g")
def through_softmax(weights, gradient):
    return weights * gradient


@wrong("keepdim is forgotten: the mean of another row is taken off, or the shapes do not fit")
def through_softmax(weights, gradient):
    return weights * (gradient - (weights * gradient).sum(-1))


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
