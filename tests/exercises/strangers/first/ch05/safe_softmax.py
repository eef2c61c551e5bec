"""Answers to exercise ``safe_softmax``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("filled with −∞: a row with nothing allowed is NaN")
def safe_softmax(scores, mask):
    return scores.masked_fill(~mask, -torch.inf).softmax(-1)


@wrong("the smallest finite number, but an empty row gets equal weights")
def safe_softmax(scores, mask):
    return scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(-1)


@wrong("−10⁹ is no number of half precision, and very low scores come near it")
def safe_softmax(scores, mask):
    return scores.masked_fill(~mask, -1e9).softmax(-1).masked_fill(~mask, 0.0)


@wrong("masked after the softmax: the allowed do not share 1")
def safe_softmax(scores, mask):
    return scores.softmax(-1).masked_fill(~mask, 0.0)


@wrong("the wrong way round: allowed positions are filled")
def safe_softmax(scores, mask):
    smallest = torch.finfo(scores.dtype).min
    return scores.masked_fill(mask, smallest).softmax(-1).masked_fill(mask, 0.0)


@wrong("the scores of the caller are overwritten")
def safe_softmax(scores, mask):
    scores.masked_fill_(~mask, torch.finfo(scores.dtype).min)
    return scores.softmax(-1).masked_fill(~mask, 0.0)


@wrong("forbidden scores become 0, which is not forbidden")
def safe_softmax(scores, mask):
    return (scores * mask).softmax(-1) * mask


@wrong("over the first dimension")
def safe_softmax(scores, mask):
    smallest = torch.finfo(scores.dtype).min
    return scores.masked_fill(~mask, smallest).softmax(0).masked_fill(~mask, 0.0)


@wrong("exponentials without the maximum taken off overflow")
def safe_softmax(scores, mask):
    e = torch.exp(scores) * mask
    return e / e.sum(-1, keepdim=True).clamp(min=1e-30)


@wrong("an epsilon below the line: weights do not quite sum to 1 where they should")
def safe_softmax(scores, mask):
    e = torch.exp(scores.float() - scores.float().amax(-1, keepdim=True)) * mask
    return e / (e.sum(-1, keepdim=True) + 1e-2)


@wrong("the whole answer is zeros if any row is empty")
def safe_softmax(scores, mask):
    if not mask.any(-1).all():
        return torch.zeros_like(scores)
    return scores.masked_fill(~mask, -torch.inf).softmax(-1)


@wrong("the mask's first row for every row")
def safe_softmax(scores, mask):
    allowed = mask.reshape(-1, mask.shape[-1])[0].expand_as(scores)
    smallest = torch.finfo(scores.dtype).min
    return scores.masked_fill(~allowed, smallest).softmax(-1).masked_fill(~allowed, 0.0)


@wrong("made for three dimensions")
def safe_softmax(scores, mask):
    smallest = torch.finfo(scores.dtype).min
    return scores.masked_fill(~mask, smallest).softmax(2).masked_fill(~mask, 0.0)


@right
def safe_softmax(scores, mask):
    weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1)
    return torch.nan_to_num(weights, nan=0.0)


@right
def safe_softmax(scores, mask):
    flat, allowed = scores.reshape(-1, scores.shape[-1]), mask.reshape(-1, mask.shape[-1])
    result = torch.zeros_like(flat)
    for n in range(len(flat)):
        if allowed[n].any():
            result[n, allowed[n]] = flat[n, allowed[n]].softmax(0)
    return result.view_as(scores)


@right
def safe_softmax(scores, mask):
    wide = scores.double()
    low = torch.where(mask, wide, torch.full_like(wide, -torch.inf))
    top = low.amax(dim=-1, keepdim=True).clamp(min=torch.finfo(torch.double).min)
    e = torch.exp(low - top)
    total = e.sum(dim=-1, keepdim=True)
    return (e / torch.where(total == 0, torch.ones_like(total), total)).to(scores.dtype)
