"""Answers to exercise ``token_cross_entropy``, written from its statement alone."""

import math

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("the smoothing is ignored")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    log_probs = logits.log_softmax(-1)
    return -log_probs.gather(1, targets.unsqueeze(1)).mean()


@wrong("the smooth part is summed over the words, not averaged")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    losses = -logits.log_softmax(-1)
    right = losses.gather(1, targets.unsqueeze(1)).squeeze(1)
    return ((1 - label_smoothing) * right + label_smoothing * losses.sum(-1)).mean()


@wrong("ε is shared by the wrong words only")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    losses = -logits.log_softmax(-1)
    V = logits.shape[-1]
    right = losses.gather(1, targets.unsqueeze(1)).squeeze(1)
    others = (losses.sum(-1) - right) / (V - 1)
    return ((1 - label_smoothing) * right + label_smoothing * others).mean()


@wrong("summed over the tokens instead of averaged")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    losses = -logits.log_softmax(-1)
    right = losses.gather(1, targets.unsqueeze(1)).squeeze(1)
    return ((1 - label_smoothing) * right + label_smoothing * losses.mean(-1)).sum()


@wrong("the minus sign is forgotten")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    log_probs = logits.log_softmax(-1)
    right = log_probs.gather(1, targets.unsqueeze(1)).squeeze(1)
    return ((1 - label_smoothing) * right + label_smoothing * log_probs.mean(-1)).mean()


@wrong("softmax and then the logarithm: infinite where a probability underflows")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    losses = -(logits.exp() / logits.exp().sum(-1, keepdim=True)).log()
    right = losses[torch.arange(len(targets)), targets]
    return ((1 - label_smoothing) * right + label_smoothing * losses.mean(-1)).mean()


@wrong("the two weights are exchanged")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    losses = -logits.log_softmax(-1)
    right = losses.gather(1, targets.unsqueeze(1)).squeeze(1)
    return (label_smoothing * right + (1 - label_smoothing) * losses.mean(-1)).mean()


@wrong("the right word's weight is not lowered")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    losses = -logits.log_softmax(-1)
    right = losses.gather(1, targets.unsqueeze(1)).squeeze(1)
    return (right + label_smoothing * losses.mean(-1)).mean()


@wrong("bits instead of nats")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    losses = -logits.log_softmax(-1) / math.log(2)
    right = losses.gather(1, targets.unsqueeze(1)).squeeze(1)
    return ((1 - label_smoothing) * right + label_smoothing * losses.mean(-1)).mean()


@wrong("the softmax runs over the tokens, not over the words")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    losses = -logits.log_softmax(0)
    right = losses.gather(1, targets.unsqueeze(1)).squeeze(1)
    return ((1 - label_smoothing) * right + label_smoothing * losses.mean(-1)).mean()


@wrong("one loss a token comes back, not their mean")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    losses = -logits.log_softmax(-1)
    right = losses.gather(1, targets.unsqueeze(1)).squeeze(1)
    return (1 - label_smoothing) * right + label_smoothing * losses.mean(-1)


@right
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    V = logits.shape[1]
    q = (1 - label_smoothing) * F.one_hot(targets, V) + label_smoothing / V
    log_probs = logits - torch.logsumexp(logits, dim=1, keepdim=True)
    return -(q * log_probs).sum() / len(targets)


@right
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    total = 0.0
    for row, y in zip(logits, targets):
        log_probs = row.log_softmax(-1)
        total = total + (1 - label_smoothing) * -log_probs[y]
        total = total + label_smoothing * -log_probs.mean()
    return total / logits.shape[0]
