"""Answers to exercise ``coverage_penalty``, as learners write them."""

import math

import torch
from answering import right, wrong


@wrong("at least 1e-9 and at most 1")
def coverage_penalty(coverage, beta, mask):
    logs = torch.minimum(coverage, torch.ones_like(coverage)).log()
    return beta * logs.masked_fill(~mask, 0).sum(-1)


@wrong("The sign is turned")
def coverage_penalty(coverage, beta, mask):
    return -beta * (coverage.clamp(1e-9, 1).log() * mask).sum(-1)


@wrong("*before* the logarithm")
def coverage_penalty(coverage, beta, mask):
    return beta * coverage.masked_fill(~mask, 0).clamp(1e-9, 1).log().sum(-1)


@wrong("turned round")
def coverage_penalty(coverage, beta, mask):
    return beta * coverage.clamp(1e-9, 1).log().masked_fill(mask, 0).sum(-1)


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
