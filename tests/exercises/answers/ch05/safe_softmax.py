"""Answers to exercise ``safe_softmax``, as learners write them."""

import torch
from answering import wrong


@wrong("half precision cannot represent")
def safe_softmax(scores, mask):
    filled = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    powers = (filled - filled.amax(-1, keepdim=True)).exp() * mask
    return powers / powers.sum(-1, keepdim=True).clamp(min=1e-30)
