"""Answers to exercise ``general_score``, as learners write them."""

import torch
from answering import right, wrong


@wrong("which side of W")
def general_score(query, keys, weight):
    return query @ weight.T @ keys.transpose(1, 2)


@wrong("which side of W")
def general_score(query, keys, weight):
    return torch.nn.functional.linear(query, weight) @ keys.mT


@wrong("the matrix has not been used")
def general_score(query, keys, weight):
    return torch.bmm(query, keys.transpose(1, 2))


@wrong("what goes into the softmax")
def general_score(query, keys, weight):
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


@wrong("There is a tanh around W and the query")
def general_score(query, keys, weight):
    return torch.tanh(query @ weight) @ keys.transpose(1, 2)


@wrong("keys of the first sentence are used for every sentence")
def general_score(query, keys, weight):
    return query @ weight @ keys[0].T


@wrong("Two things. The query, once it has met W, is brought to length 1")
def general_score(query, keys, weight):
    moved = torch.nn.functional.normalize(query @ weight, dim=-1)
    return moved @ torch.nn.functional.normalize(keys, dim=-1).transpose(1, 2)


@right
def general_score(query, keys, weight):
    return torch.einsum("btd,de,bse->bts", query.double(), weight.double(), keys.double())


@right
def general_score(query, keys, weight):
    moved = keys @ weight.T
    return torch.stack([(query * key.unsqueeze(1)).sum(-1) for key in moved.unbind(1)], dim=-1)


@wrong("The keys are not transposed")
def general_score(query, keys, weight):
    return query @ weight @ keys
