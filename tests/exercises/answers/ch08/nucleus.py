"""Answers to exercise ``nucleus``, as learners write them."""

import torch
from answering import wrong


@wrong("not divided by its sum")
def nucleus(probs, top_p):
    p, i = probs.sort(-1, descending=True)
    p = torch.where(p.cumsum(-1) - p < top_p, p, 0.0)
    return torch.zeros_like(probs).scatter(-1, i, p)


@wrong("crosses the line")
def nucleus(probs, top_p):
    p, i = probs.sort(-1, descending=True)
    p = torch.where(p.cumsum(-1) <= top_p, p, 0.0)
    p = torch.zeros_like(probs).scatter(-1, i, p)
    return p / p.sum(-1, keepdim=True)


@wrong("in the order of the vocabulary")
def nucleus(probs, top_p):
    p = torch.where(probs.cumsum(-1) - probs < top_p, probs, 0.0)
    return p / p.sum(-1, keepdim=True)


@wrong("from the least probable token upwards")
def nucleus(probs, top_p):
    p, i = probs.sort(-1)
    p = torch.where(p.cumsum(-1) - p < top_p, p, 0.0)
    p = torch.zeros_like(probs).scatter(-1, i, p)
    return p / p.sum(-1, keepdim=True)


@wrong("own probability is at least")
def nucleus(probs, top_p):
    p = torch.where(probs >= 1 - top_p, probs, 0.0)
    return p / p.sum(-1, keepdim=True)


@wrong("The result is sorted")
def nucleus(probs, top_p):
    p = probs.sort(-1, descending=True).values
    p = torch.where(p.cumsum(-1) - p < top_p, p, 0.0)
    return p / p.sum(-1, keepdim=True)
