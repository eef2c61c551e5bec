import math

import torch
from answering import right, wrong


@wrong("the minimum with 1 is forgotten: words looked at too much bring a reward")
def coverage_penalty(coverage, beta, mask):
    logs = coverage.clamp(min=1e-9).log()
    return beta * logs.masked_fill(~mask, 0.0).sum(-1)


@wrong("the lower limit is forgotten: −∞")
def coverage_penalty(coverage, beta, mask):
    logs = coverage.clamp(max=1.0).log()
    return beta * logs.masked_fill(~mask, 0.0).sum(-1)


@wrong("maximum and minimum mixed up: everything is at least 1")
def coverage_penalty(coverage, beta, mask):
    logs = coverage.clamp(min=1.0).log()
    return beta * logs.masked_fill(~mask, 0.0).sum(-1)


@wrong("a minus sign in front: a reward")
def coverage_penalty(coverage, beta, mask):
    logs = coverage.clamp(min=1e-9, max=1.0).log()
    return -beta * logs.masked_fill(~mask, 0.0).sum(-1)


@wrong("the mean over the words")
def coverage_penalty(coverage, beta, mask):
    logs = coverage.clamp(min=1e-9, max=1.0).log()
    return beta * logs.masked_fill(~mask, 0.0).sum(-1) / mask.sum(-1)


@wrong("the padding costs, too: no mask")
def coverage_penalty(coverage, beta, mask):
    logs = coverage.clamp(min=1e-9, max=1.0).log()
    return beta * logs.sum(-1)


@wrong("the mask the wrong way round")
def coverage_penalty(coverage, beta, mask):
    logs = coverage.clamp(min=1e-9, max=1.0).log()
    return beta * logs.masked_fill(mask, 0.0).sum(-1)


@wrong("padding is set to 0 before the logarithm, where it is a word never looked at")
def coverage_penalty(coverage, beta, mask):
    logs = (coverage * mask).clamp(min=1e-9, max=1.0).log()
    return beta * logs.sum(-1)


@wrong("the sum runs over the first dimension")
def coverage_penalty(coverage, beta, mask):
    logs = coverage.clamp(min=1e-9, max=1.0).log()
    return beta * logs.masked_fill(~mask, 0.0).sum(0)


@wrong("one number for the whole batch")
def coverage_penalty(coverage, beta, mask):
    logs = coverage.clamp(min=1e-9, max=1.0).log()
    return beta * logs.masked_fill(~mask, 0.0).sum()


@wrong("beta inside the logarithm")
def coverage_penalty(coverage, beta, mask):
    logs = (beta * coverage).clamp(min=1e-9, max=1.0).log()
    return logs.masked_fill(~mask, 0.0).sum(-1)


@wrong("the logarithm of the sum over the words, not the sum of the logarithms")
def coverage_penalty(coverage, beta, mask):
    total = (coverage.clamp(max=1.0) * mask).sum(-1)
    return beta * total.clamp(min=1e-9).log()


@wrong("the logarithm to the base 10")
def coverage_penalty(coverage, beta, mask):
    logs = coverage.clamp(min=1e-9, max=1.0).log10()
    return beta * logs.masked_fill(~mask, 0.0).sum(-1)


@right
def coverage_penalty(coverage, beta, mask):
    quiet = torch.where(mask, coverage, torch.ones_like(coverage))
    capped = torch.minimum(quiet, torch.ones(())).maximum(torch.tensor(1e-9))
    return capped.log().sum(dim=-1).mul(beta)


@right
def coverage_penalty(coverage, beta, mask):
    if coverage.ndim > 1:
        return torch.stack([coverage_penalty(c, beta, m) for c, m in zip(coverage, mask)])
    cost = 0.0
    for received, real in zip(coverage.tolist(), mask.tolist()):
        if real:
            cost += math.log(max(min(received, 1.0), 1e-9))
    return torch.tensor(beta * cost)
