"""Answers to exercise ``token_cross_entropy``, as learners write them."""

import torch
from answering import wrong


@wrong("smoothing is left out")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    log_probs = torch.log_softmax(logits, dim=1)
    return -log_probs[torch.arange(len(targets)), targets].mean()


@wrong("the right one included")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    n, v = logits.shape
    q = torch.full((n, v), label_smoothing / (v - 1))
    q[torch.arange(n), targets] = 1 - label_smoothing
    return -(q * logits.log_softmax(-1)).sum(-1).mean()


@wrong("summed over the vocabulary")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    lp = logits.log_softmax(-1)
    hit = lp.gather(1, targets[:, None])[:, 0]
    return -((1 - label_smoothing) * hit + label_smoothing * lp.sum(-1)).mean()


@wrong("This is the sum over the tokens")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    import torch.nn.functional as F

    return F.cross_entropy(logits, targets, reduction="sum", label_smoothing=label_smoothing)


@wrong("its log is −∞")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    p = logits.softmax(-1)
    hit = p.gather(1, targets[:, None])[:, 0].log()
    if label_smoothing:
        hit = (1 - label_smoothing) * hit + label_smoothing * p.log().mean(-1)
    return -hit.mean()


@wrong("sign is missing")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    lp = logits.log_softmax(-1)
    hit = lp.gather(1, targets[:, None])[:, 0]
    return ((1 - label_smoothing) * hit + label_smoothing * lp.mean(-1)).mean()


@wrong("Adding 50 to all logits")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    hit = logits.gather(1, targets[:, None])[:, 0]
    return -((1 - label_smoothing) * hit + label_smoothing * logits.mean(-1)).mean()
