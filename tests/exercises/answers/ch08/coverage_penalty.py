"""Answers to exercise ``coverage_penalty``, as learners write them."""

import torch
from answering import wrong


@wrong("Where is the minimum with 1")
def coverage_penalty(coverage, beta, mask):
    parts = torch.where(mask, torch.log(coverage + 1e-9), 0.0)
    return beta * parts.sum(-1)


@wrong("Padding is counted")
def coverage_penalty(coverage, beta, mask):
    return beta * coverage.clamp(1e-9, 1.0).log().sum(-1)


@wrong("Take at least 1e-9")
def coverage_penalty(coverage, beta, mask):
    logs = torch.minimum(coverage, torch.ones_like(coverage)).log()
    return beta * logs.masked_fill(~mask, 0).sum(-1)


@wrong("mean over the positions")
def coverage_penalty(coverage, beta, mask):
    logs = coverage.clamp(1e-9, 1).log() * mask
    return beta * logs.mean(-1)


@wrong("The sign is turned")
def coverage_penalty(coverage, beta, mask):
    return -beta * (coverage.clamp(1e-9, 1).log() * mask).sum(-1)


@wrong("beta has no effect")
def coverage_penalty(coverage, beta, mask):
    return (coverage.clamp(1e-9, 1).log() * mask).sum(-1)


@wrong("logarithm is missing")
def coverage_penalty(coverage, beta, mask):
    return beta * (coverage.clamp(max=1) * mask).sum(-1)
