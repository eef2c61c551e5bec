"""Answers to exercise ``safe_softmax``, as learners write them."""

from answering import wrong


@wrong("A score of 0 is a score like any other")
def safe_softmax(scores, mask):
    import torch

    return torch.softmax(torch.where(mask, scores, torch.zeros_like(scores)), -1)


@wrong("The mask comes after the softmax")
def safe_softmax(scores, mask):
    weights = scores.softmax(-1)
    return weights.masked_fill(~mask, 0)


@wrong("the wrong way round")
def safe_softmax(scores, mask):
    scores = scores.masked_fill(mask, float("-inf"))
    return scores.softmax(-1)


@wrong("nothing is allowed becomes NaN")
def safe_softmax(scores, mask):
    import torch

    scores = torch.where(mask, scores, torch.tensor(float("-inf")))
    return torch.nn.functional.softmax(scores, dim=-1)


@wrong("beyond 65504")
def safe_softmax(scores, mask):
    weights = scores.masked_fill(~mask, -1e9).softmax(-1)
    return weights * mask


@wrong("in which nothing is allowed gets weights")
def safe_softmax(scores, mask):
    return scores.masked_fill(~mask, -1e4).softmax(-1)


@wrong("was changed by the call")
def safe_softmax(scores, mask):
    scores.masked_fill_(~mask, -60000.0)
    return scores.softmax(-1).masked_fill(~mask, 0.0)


@wrong("Where is the exponential")
def safe_softmax(scores, mask):
    kept = scores * mask
    return kept / kept.sum(-1, keepdim=True)
