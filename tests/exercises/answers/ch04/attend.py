"""Answers to exercise ``attend``, as learners write them."""

import math

import torch
from answering import wrong


@wrong("The mask is not used")
def attend(query, keys, values, mask):
    weights = torch.softmax(torch.bmm(query, keys.mT), -1)
    return torch.bmm(weights, values), weights


@wrong("wrong way round")
def attend(query, keys, values, mask):
    scores = torch.bmm(query, keys.mT)
    if mask is not None:
        scores = scores.masked_fill(mask[:, None], float("-inf"))
    weights = torch.softmax(scores, -1)
    return torch.bmm(weights, values), weights


@wrong("a score like any other")
def attend(query, keys, values, mask):
    scores = torch.bmm(query, keys.mT)
    if mask is not None:
        scores = scores * mask[:, None]
    weights = torch.softmax(scores, -1)
    return torch.bmm(weights, values), weights


@wrong("The mask comes after the softmax")
def attend(query, keys, values, mask):
    weights = torch.softmax(torch.bmm(query, keys.mT), -1)
    if mask is not None:
        weights = weights.masked_fill(~mask[:, None], 0)
    return torch.bmm(weights, values), weights


@wrong("divided by √H")
def attend(query, keys, values, mask):
    scores = torch.bmm(query, keys.mT)
    if mask is not None:
        scores = scores.masked_fill(~mask[:, None], float("-inf"))
    weights = torch.softmax(scores / math.sqrt(keys.shape[2]), -1)
    return torch.bmm(weights, values), weights


@wrong("The keys are added up")
def attend(query, keys, values, mask):
    scores = torch.bmm(query, keys.mT)
    if mask is not None:
        scores = scores.masked_fill(~mask[:, None], float("-inf"))
    weights = torch.softmax(scores, -1)
    return torch.bmm(weights, keys), weights


@wrong("the context comes first")
def attend(query, keys, values, mask):
    scores = torch.bmm(query, keys.mT)
    if mask is not None:
        scores = scores.masked_fill(~mask[:, None], float("-inf"))
    weights = torch.softmax(scores, -1)
    return weights, torch.bmm(weights, values)


@wrong("An entry that is not there has weight")
def attend(query, keys, values, mask):
    scores = torch.bmm(query, keys.mT)
    if mask is not None:
        scores = scores.masked_fill(~mask[:, None], -20.0)
    weights = torch.softmax(scores, -1)
    return torch.bmm(weights, values), weights


@wrong("not to 1. Over which dimension")
def attend(query, keys, values, mask):
    weights = torch.bmm(query, keys.mT)
    if mask is not None:
        weights = weights.masked_fill(~mask[:, None], 0)
    return torch.bmm(weights, values), weights
