"""Answers to exercise ``general_score``, as learners write them."""

from answering import wrong


@wrong("which side of W")
def general_score(query, keys, weight):
    return query @ weight.T @ keys.transpose(1, 2)


@wrong("which side of W")
def general_score(query, keys, weight):
    import torch

    return torch.nn.functional.linear(query, weight) @ keys.mT


@wrong("the matrix has not been used")
def general_score(query, keys, weight):
    import torch

    return torch.bmm(query, keys.transpose(1, 2))


@wrong("what goes into the softmax")
def general_score(query, keys, weight):
    import torch

    scores = torch.einsum("btd,de,bse->bts", query, weight, keys)
    return torch.softmax(scores, dim=-1)


@wrong("is not scaled")
def general_score(query, keys, weight):
    import math

    return query @ (weight @ keys.transpose(1, 2)) / math.sqrt(keys.size(2))


@wrong("there is no tanh")
def general_score(query, keys, weight):
    projected = keys @ weight.T
    return (query @ projected.transpose(1, 2)).tanh()
