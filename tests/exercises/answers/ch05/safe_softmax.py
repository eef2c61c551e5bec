"""Answers to exercise ``safe_softmax``, as learners write them."""

import torch
from answering import wrong


@wrong("A score of 0 is a score like any other")
def safe_softmax(scores, mask):
    return torch.softmax(torch.where(mask, scores, torch.zeros_like(scores)), -1)


@wrong("nothing is allowed becomes NaN")
def safe_softmax(scores, mask):
    scores = torch.where(mask, scores, torch.tensor(float("-inf")))
    return torch.nn.functional.softmax(scores, dim=-1)


@wrong("No number written down for forbidden scores fits every dtype")
def safe_softmax(scores, mask):
    return scores.masked_fill(~mask, -1e4).softmax(-1).masked_fill(~mask, 0.0)


@wrong("half precision does not hold")
def safe_softmax(scores, mask):
    filled = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    powers = (filled - filled.amax(-1, keepdim=True)).exp() * mask
    return powers / powers.sum(-1, keepdim=True).clamp(min=1e-30)
