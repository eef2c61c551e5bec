"""Answers to exercise ``through_softmax``, as learners write them."""

import torch
from answering import wrong


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


@wrong("Does each weight feel")
def through_softmax(weights, gradient):
    return gradient
