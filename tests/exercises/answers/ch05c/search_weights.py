"""Answers to exercise ``search_weights``, as learners write them."""

import torch
from answering import wrong


@wrong("A score of 0 is not a weight of 0")
def search_weights(logits_of, word, allowed, steps, rate):
    import torch.nn.functional as F

    scores = torch.zeros(allowed.shape, requires_grad=True)
    opt = torch.optim.Adam([scores], lr=rate)
    for _ in range(steps):
        opt.zero_grad()
        weights = torch.softmax(scores.masked_fill(~allowed, 0), dim=-1)
        F.cross_entropy(logits_of(weights), word, reduction="sum").backward()
        opt.step()
    return torch.softmax(scores.detach().masked_fill(~allowed, 0), dim=-1)


@wrong("plain gradient descent")
def search_weights(logits_of, word, allowed, steps, rate):
    scores = torch.zeros(allowed.shape)
    for _ in range(steps):
        scores.requires_grad_()
        weights = scores.masked_fill(~allowed, -torch.inf).softmax(-1)
        log_p = logits_of(weights).log_softmax(-1)[torch.arange(len(word)), word]
        (slope,) = torch.autograd.grad(-log_p.sum(), scores)
        scores = (scores - rate * slope).detach()
    return scores.masked_fill(~allowed, -torch.inf).softmax(-1)


@wrong("The word becomes *less* probable")
def search_weights(logits_of, word, allowed, steps, rate):
    scores = torch.zeros(allowed.shape, requires_grad=True)
    opt = torch.optim.Adam([scores], lr=rate)
    for _ in range(steps):
        weights = scores.masked_fill(~allowed, -torch.inf).softmax(-1)
        log_p = logits_of(weights).log_softmax(-1).gather(1, word[:, None])
        opt.zero_grad()
        log_p.sum().backward()
        opt.step()
    return scores.detach().masked_fill(~allowed, -torch.inf).softmax(-1)


@wrong("Row 0 sums to")
def search_weights(logits_of, word, allowed, steps, rate):
    scores = torch.zeros(allowed.shape, requires_grad=True)
    opt = torch.optim.Adam([scores], lr=rate)
    for _ in range(steps):
        weights = scores.masked_fill(~allowed, -torch.inf).softmax(-1) * 2
        loss = torch.nn.functional.cross_entropy(logits_of(weights), word, reduction="sum")
        opt.zero_grad()
        loss.backward()
        opt.step()
    return 2 * scores.detach().masked_fill(~allowed, -torch.inf).softmax(-1)
