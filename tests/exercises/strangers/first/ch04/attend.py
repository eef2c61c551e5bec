"""Answers to exercise ``attend``, written from its statement alone."""

import math

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("the mask is ignored")
def attend(query, keys, values, mask):
    weights = (query @ keys.transpose(1, 2)).softmax(-1)
    return weights @ values, weights


@wrong("True taken for padding")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    if mask is not None:
        scores = scores.masked_fill(mask.unsqueeze(1), -torch.inf)
    weights = scores.softmax(-1)
    return weights @ values, weights


@wrong("masked after the softmax: the rest no longer sums to 1")
def attend(query, keys, values, mask):
    weights = (query @ keys.transpose(1, 2)).softmax(-1)
    if mask is not None:
        weights = weights.masked_fill(~mask.unsqueeze(1), 0.0)
    return weights @ values, weights


@wrong("padding gets the score 0, which is not no weight")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    if mask is not None:
        scores = scores * mask.unsqueeze(1)
    weights = scores.softmax(-1)
    return weights @ values, weights


@wrong("scaled by the root of H")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
    weights = scores.softmax(-1)
    return weights @ values, weights


@wrong("softmax over the queries")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -1e9)
    weights = scores.softmax(1)
    return weights @ values, weights


@wrong("no mask is not thought of")
def attend(query, keys, values, mask):
    scores = (query @ keys.transpose(1, 2)).masked_fill(~mask.unsqueeze(1), -torch.inf)
    weights = scores.softmax(-1)
    return weights @ values, weights


@wrong("weights first, context second")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
    weights = scores.softmax(-1)
    return weights, weights @ values


@wrong("only the values of padding are cleared; their weights remain")
def attend(query, keys, values, mask):
    weights = (query @ keys.transpose(1, 2)).softmax(-1)
    if mask is not None:
        values = values * mask.unsqueeze(-1)
    return weights @ values, weights


@wrong("the mask of the first sentence for all")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    if mask is not None:
        scores = scores.masked_fill(~mask[0], -torch.inf)
    weights = scores.softmax(-1)
    return weights @ values, weights


@wrong("reshaped, not transposed: the numbers of the keys are mixed")
def attend(query, keys, values, mask):
    B, S, H = keys.shape
    scores = query @ keys.reshape(B, H, S)
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
    weights = scores.softmax(-1)
    return weights @ values, weights


@wrong("the keys are fetched, not the values")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
    weights = scores.softmax(-1)
    return weights @ keys, weights


@wrong("a score of −10 is not low enough")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -10.0)
    weights = scores.softmax(-1)
    return weights @ values, weights


@wrong("exponentials without the maximum taken off overflow")
def attend(query, keys, values, mask):
    e = (query @ keys.transpose(1, 2)).exp()
    if mask is not None:
        e = e * mask.unsqueeze(1)
    weights = e / e.sum(-1, keepdim=True)
    return weights @ values, weights


@right
def attend(query, keys, values, mask):
    scores = torch.einsum("bth,bsh->bts", query, keys)
    if mask is not None:
        real = mask[:, None, :].expand_as(scores)
        scores = torch.where(real, scores, torch.full_like(scores, float("-inf")))
    weights = F.softmax(scores, dim=2)
    return torch.bmm(weights, values), weights


@right
def attend(query, keys, values, mask):
    contexts, weights = [], []
    for b in range(len(query)):
        row = torch.zeros(query.shape[1], keys.shape[1])
        real = list(range(keys.shape[1])) if mask is None else mask[b].nonzero()[:, 0].tolist()
        for t in range(query.shape[1]):
            row[t, real] = torch.stack([query[b, t] @ keys[b, j] for j in real]).softmax(0)
        weights.append(row)
        contexts.append(row @ values[b])
    return [torch.stack(contexts), torch.stack(weights)]


@right
def attend(query, keys, values, mask):
    scores = torch.matmul(query, keys.mT)
    scores = scores - scores.amax(-1, keepdim=True)
    if mask is not None:
        scores += torch.log(mask.to(scores.dtype)).unsqueeze(1)  # log 1 = 0, log 0 = −∞
    weights = torch.softmax(scores, -1)
    return weights @ values, weights
