"""Answers to exercise ``attend``, as learners write them."""

import math

import torch
from answering import right, wrong


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


@wrong("have a low score, and so a little weight")
def attend(query, keys, values, mask):
    scores = torch.bmm(query, keys.mT)
    if mask is not None:
        scores = scores.masked_fill(~mask[:, None], -20.0)
    weights = torch.softmax(scores, -1)
    return torch.bmm(weights, values), weights


@wrong("stands among the weights, and a weight lies between 0 and 1")
def attend(query, keys, values, mask):
    weights = torch.bmm(query, keys.mT)
    if mask is not None:
        weights = weights.masked_fill(~mask[:, None], 0)
    return torch.bmm(weights, values), weights


@wrong("their weights remain")
def attend(query, keys, values, mask):
    weights = torch.softmax(torch.bmm(query, keys.mT), -1)
    if mask is not None:
        values = values.masked_fill(~mask[..., None], 0)
    return torch.bmm(weights, values), weights


@wrong("given the first one's mask")
def attend(query, keys, values, mask):
    scores = torch.bmm(query, keys.mT)
    if mask is not None:
        scores = scores.masked_fill(~mask[0], float("-inf"))
    weights = torch.softmax(scores, -1)
    return torch.bmm(weights, values), weights


@wrong("mask may be None")
def attend(query, keys, values, mask):
    scores = (query @ keys.mT).masked_fill(~mask[:, None], float("-inf"))
    weights = torch.softmax(scores, -1)
    return weights @ values, weights


@wrong("reshape keeps the order of the numbers")
def attend(query, keys, values, mask):
    scores = query @ keys.view(keys.shape[0], keys.shape[2], -1)
    if mask is not None:
        scores = scores.masked_fill(~mask[:, None], float("-inf"))
    weights = torch.softmax(scores, -1)
    return weights @ values, weights


@wrong("The exponential of a large score is ∞")
def attend(query, keys, values, mask):
    powers = torch.exp(query @ keys.mT)
    if mask is not None:
        powers = powers * mask[:, None]
    weights = powers / powers.sum(-1, keepdim=True)
    return weights @ values, weights


@wrong("The mask comes after the exponential")
def attend(query, keys, values, mask):
    scores = query @ keys.mT
    real = torch.ones_like(scores) if mask is None else mask[:, None].expand_as(scores).float()
    top = scores.masked_fill(real == 0, -torch.inf).amax(-1, keepdim=True)
    powers = torch.exp(scores - top) * real
    weights = powers / powers.sum(-1, keepdim=True)
    return weights @ values, weights


@wrong("The softmax runs over the queries")
def attend(query, keys, values, mask):
    scores = query @ keys.mT
    if mask is not None:
        scores = scores.masked_fill(~mask[:, None], -1e9)
    weights = torch.softmax(scores, dim=-2)
    return weights @ values, weights


@wrong("Entry 2 of sentence 0 is not there, and has weight 0.0024 for query 0")
def attend(query, keys, values, mask):
    scores = query @ keys.mT
    if mask is not None:
        scores = scores.masked_fill(~mask[:, None], -3.9)
    weights = torch.softmax(scores, -1)
    return weights @ values, weights


@wrong("Query 0 of sentence 0 has dot products [2.0, 0.0] with the keys that are there")
def attend(query, keys, values, mask):
    scores = torch.bmm(query, keys.mT) / 3
    if mask is not None:
        scores = scores.masked_fill(~mask[:, None], float("-inf"))
    weights = torch.softmax(scores, -1)
    return torch.bmm(weights, values), weights


@wrong("The context is not the sum of weight times value")
def attend(query, keys, values, mask):
    scores = torch.bmm(query, keys.mT)
    if mask is not None:
        scores = scores.masked_fill(~mask[:, None], float("-inf"))
    weights = torch.softmax(scores, -1)
    return torch.bmm(weights, values).tanh(), weights


@right
def attend(query, keys, values, mask):
    scores = (query.double() @ keys.double().mT).log_softmax(-1)
    if mask is not None:
        scores = scores.where(mask[:, None], torch.tensor(-math.inf)).log_softmax(-1)
    return scores.exp() @ values.double(), scores.exp()


@right
def attend(query, keys, values, mask):
    allowed = None if mask is None else mask[:, None]
    one = torch.eye(keys.shape[1]).expand(len(keys), -1, -1)
    look = torch.nn.functional.scaled_dot_product_attention
    return [look(query, keys, what, allowed, scale=1.0) for what in (values, one)]


@wrong("stands among the weights, and a weight lies between 0 and 1")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -math.inf)
    return scores.softmax(-1) @ values, scores


@wrong("The mask comes after the exponential")
def attend(query, keys, values, mask):
    weights = (query @ keys.transpose(1, 2)).softmax(-1)
    if mask is not None:
        weights = weights * mask.unsqueeze(1)
        weights = weights / weights.sum(-1, keepdim=True)
    return weights @ values, weights
