"""Answers to exercise ``nucleus``, as learners write them."""

import torch
from answering import wrong


@wrong("crosses the line")
def nucleus(probs, top_p):
    p, i = probs.sort(-1, descending=True)
    p = torch.where(p.cumsum(-1) <= top_p, p, 0.0)
    p = torch.zeros_like(probs).scatter(-1, i, p)
    return p / p.sum(-1, keepdim=True)


@wrong("from the least probable token upwards")
def nucleus(probs, top_p):
    p, i = probs.sort(-1)
    p = torch.where(p.cumsum(-1) - p < top_p, p, 0.0)
    p = torch.zeros_like(probs).scatter(-1, i, p)
    return p / p.sum(-1, keepdim=True)


@wrong("The result is sorted")
def nucleus(probs, top_p):
    p = probs.sort(-1, descending=True).values
    p = torch.where(p.cumsum(-1) - p < top_p, p, 0.0)
    return p / p.sum(-1, keepdim=True)


@wrong("it keeps 4")
def nucleus(probs, top_p):
    ranked, places = probs.sort(-1, descending=True)
    n = (ranked.cumsum(-1) - ranked < top_p).sum(-1, keepdim=True)
    cutoff = ranked.gather(-1, n - 1)
    kept = torch.where(probs >= cutoff, probs, torch.zeros_like(probs))
    return kept / kept.sum(-1, keepdim=True)
