import torch
from answering import right, wrong


@wrong("−1e9, which is no number of half precision")
def safe_softmax(scores, mask):
    weights = scores.masked_fill(~mask, -1e9).softmax(-1)
    return weights.masked_fill(~mask, 0.0)


@wrong("−∞: a row with nothing allowed is NaN")
def safe_softmax(scores, mask):
    return scores.masked_fill(~mask, float("-inf")).softmax(-1)


@wrong("the mask is turned round: True is filled")
def safe_softmax(scores, mask):
    weights = scores.masked_fill(mask, torch.finfo(scores.dtype).min).softmax(-1)
    return weights.masked_fill(mask, 0.0)


@wrong("the forbidden scores become 0 and still get e⁰ in the denominator")
def safe_softmax(scores, mask):
    weights = (scores * mask).softmax(-1)
    return weights * mask


@wrong("over dimension 1, not over the last")
def safe_softmax(scores, mask):
    low = torch.finfo(scores.dtype).min
    dim = 1 if scores.ndim > 1 else 0
    return scores.masked_fill(~mask, low).softmax(dim).masked_fill(~mask, 0.0)


@wrong("fills with −100, though an allowed score may be lower than that")
def safe_softmax(scores, mask):
    weights = scores.masked_fill(~mask, -100.0).softmax(-1)
    return weights.masked_fill(~mask, 0.0)


# Relabelled: right to the digits of single precision, and brought to the type that came in.
@right
def safe_softmax(scores, mask):
    weights = scores.float().masked_fill(~mask, torch.finfo(torch.float).min).softmax(-1)
    return weights.masked_fill(~mask, 0.0)


@wrong("exponentials by hand: large scores are infinite")
def safe_softmax(scores, mask):
    e = scores.exp() * mask
    return e / e.sum(-1, keepdim=True).clamp(min=1e-6)


@right
def safe_softmax(scores, mask):
    weights = torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1)
    return torch.where(mask, weights, torch.zeros_like(weights))


@right
def safe_softmax(scores, mask):
    low = torch.finfo(scores.dtype).min
    filled = torch.where(mask, scores, torch.full_like(scores, low))
    e = (filled - filled.amax(-1, keepdim=True)).exp() * mask
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total == 0, torch.ones_like(total), total)
