"""Answers to exercise ``coverage_penalty``, written from its statement alone."""

import math

import torch
from answering import right, wrong


@wrong("a word that was never looked at gives −∞")
def coverage_penalty(coverage, beta, mask):
    return beta * coverage.clamp(max=1).log().masked_fill(~mask, 0).sum(-1)


@wrong("padding costs: the mask is ignored")
def coverage_penalty(coverage, beta, mask):
    return beta * coverage.clamp(1e-9, 1).log().sum(-1)


@wrong("padding is filled with 0 before the logarithm, and so costs most")
def coverage_penalty(coverage, beta, mask):
    return beta * coverage.masked_fill(~mask, 0).clamp(1e-9, 1).log().sum(-1)


@wrong("no minimum with 1: much looked-at words are rewarded")
def coverage_penalty(coverage, beta, mask):
    return beta * coverage.clamp(min=1e-9).log().masked_fill(~mask, 0).sum(-1)


@wrong("a minus sign in front")
def coverage_penalty(coverage, beta, mask):
    return -beta * coverage.clamp(1e-9, 1).log().masked_fill(~mask, 0).sum(-1)


@wrong("the mask is turned round")
def coverage_penalty(coverage, beta, mask):
    return beta * coverage.clamp(1e-9, 1).log().masked_fill(mask, 0).sum(-1)


@wrong("the mean over the words")
def coverage_penalty(coverage, beta, mask):
    logs = coverage.clamp(1e-9, 1).log().masked_fill(~mask, 0)
    return beta * logs.sum(-1) / mask.sum(-1)


@wrong("everything is summed to one number")
def coverage_penalty(coverage, beta, mask):
    return beta * coverage.clamp(1e-9, 1).log()[mask].sum()


@wrong("the minimum is taken of the sum, not of each word")
def coverage_penalty(coverage, beta, mask):
    total = coverage.masked_fill(~mask, 0).sum(-1)
    return beta * total.clamp(1e-9, 1).log()


@wrong("the coverage that came in is changed")
def coverage_penalty(coverage, beta, mask):
    return beta * coverage.clamp_(1e-9, 1).masked_fill_(~mask, 1).log_().sum(-1)


@right
def coverage_penalty(coverage, beta, mask):
    one = torch.ones_like(coverage)
    seen = torch.where(mask, torch.minimum(coverage, one), one)
    return (beta * torch.log(torch.maximum(seen, one * 1e-9))).sum(dim=-1)


@right
def coverage_penalty(coverage, beta, mask):
    S = coverage.shape[-1]
    costs = []
    for row, real in zip(coverage.reshape(-1, S).tolist(), mask.reshape(-1, S).tolist()):
        logs = [math.log(max(min(c, 1.0), 1e-9)) for c, r in zip(row, real) if r]
        costs.append(beta * sum(logs))
    return torch.tensor(costs).reshape(coverage.shape[:-1])
