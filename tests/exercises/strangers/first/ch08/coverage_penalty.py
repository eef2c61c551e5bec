"""Answers to exercise ``coverage_penalty``, written from its statement alone."""

from answering import wrong


@wrong("a word that was never looked at gives −∞")
def coverage_penalty(coverage, beta, mask):
    return beta * coverage.clamp(max=1).log().masked_fill(~mask, 0).sum(-1)


@wrong("padding costs: the mask is ignored")
def coverage_penalty(coverage, beta, mask):
    return beta * coverage.clamp(1e-9, 1).log().sum(-1)


@wrong("no minimum with 1: much looked-at words are rewarded")
def coverage_penalty(coverage, beta, mask):
    return beta * coverage.clamp(min=1e-9).log().masked_fill(~mask, 0).sum(-1)


@wrong("a minus sign in front")
def coverage_penalty(coverage, beta, mask):
    return -beta * coverage.clamp(1e-9, 1).log().masked_fill(~mask, 0).sum(-1)


@wrong("the coverage that came in is changed")
def coverage_penalty(coverage, beta, mask):
    return beta * coverage.clamp_(1e-9, 1).masked_fill_(~mask, 1).log_().sum(-1)
