import math

import torch
from answering import right, wrong


@wrong("the mask is used the wrong way round")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    if mask is not None:
        scores = scores.masked_fill(mask.unsqueeze(1), -math.inf)
    weights = scores.softmax(-1)
    return weights @ values, weights


@wrong("padding is set to 0 before the softmax, where it still gets weight")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    if mask is not None:
        scores = scores * mask.unsqueeze(1)
    weights = scores.softmax(-1)
    return weights @ values, weights


@wrong("masked after the softmax and not normalized again")
def attend(query, keys, values, mask):
    weights = (query @ keys.transpose(1, 2)).softmax(-1)
    if mask is not None:
        weights = weights * mask.unsqueeze(1)
    return weights @ values, weights


@wrong("scaled by the root of H, though the bare dot product is asked for")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -math.inf)
    weights = scores.softmax(-1)
    return weights @ values, weights


@wrong("softmax over the queries")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -1e9)
    weights = scores.softmax(1)
    return weights @ values, weights


@wrong("the keys are summed instead of the values")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -math.inf)
    weights = scores.softmax(-1)
    return weights @ keys, weights


@wrong("weights first, then the context")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -math.inf)
    weights = scores.softmax(-1)
    return weights, weights @ values


@wrong("exponentials by hand: large scores overflow")
def attend(query, keys, values, mask):
    e = (query @ keys.transpose(1, 2)).exp()
    if mask is not None:
        e = e * mask.unsqueeze(1)
    weights = e / e.sum(-1, keepdim=True)
    return weights @ values, weights


@wrong("fills with −100, which a score may well be below")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -100.0)
    weights = scores.softmax(-1)
    return weights @ values, weights


@wrong("a mask of None is not thought of")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~mask.unsqueeze(1), -math.inf)
    weights = scores.softmax(-1)
    return weights @ values, weights


@wrong("returns the scores in place of the weights")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -math.inf)
    return scores.softmax(-1) @ values, scores


# Relabelled: the values are right, but no gradient can go back: the weights of which a context was
# made are written into again, and backward() raises a RuntimeError.
@wrong("no gradient: what the way back needs is written over")
def attend(query, keys, values, mask):
    B, T, _ = query.shape
    S = keys.shape[1]
    weights = torch.zeros(B, T, S)
    context = torch.zeros(B, T, values.shape[2])
    for b in range(B):
        real = torch.ones(S, dtype=torch.bool) if mask is None else mask[b]
        for t in range(T):
            weights[b, t, real] = torch.softmax(keys[b][real] @ query[b, t], 0)
            context[b, t] = weights[b, t] @ values[b]
    return context, weights


@right
def attend(query, keys, values, mask):
    scores = torch.einsum("bth,bsh->bts", query, keys)
    if mask is not None:
        blocked = torch.zeros(mask.shape).masked_fill(mask.logical_not(), float("-inf"))
        scores = scores + blocked[:, None, :]
    scores = scores - scores.max(dim=-1, keepdim=True).values
    weights = scores.exp() / scores.exp().sum(dim=-1, keepdim=True)
    return torch.einsum("bts,bsv->btv", weights, values), weights
