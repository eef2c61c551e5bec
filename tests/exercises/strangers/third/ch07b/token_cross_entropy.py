import math

import torch
from answering import right, wrong


@wrong("the sum over the tokens, not the mean")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    log_p = logits.log_softmax(-1)
    right_word = -log_p.gather(1, targets[:, None]).squeeze(1)
    spread = -log_p.mean(-1)
    return ((1 - label_smoothing) * right_word + label_smoothing * spread).sum()


@wrong("the smoothing part is a sum over the words, not a mean")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    log_p = logits.log_softmax(-1)
    right_word = -log_p.gather(1, targets[:, None]).squeeze(1)
    spread = -log_p.sum(-1)
    return ((1 - label_smoothing) * right_word + label_smoothing * spread).mean()


@wrong("the right word is left out of the smoothing part: ε / (V − 1) for the others")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    log_p = logits.log_softmax(-1)
    V = logits.shape[1]
    right_word = -log_p.gather(1, targets[:, None]).squeeze(1)
    others = (-log_p.sum(-1) - right_word) / (V - 1)
    return ((1 - label_smoothing) * right_word + label_smoothing * others).mean()


@wrong("the right word keeps its full weight: 1 instead of 1 − ε")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    log_p = logits.log_softmax(-1)
    right_word = -log_p.gather(1, targets[:, None]).squeeze(1)
    return (right_word - label_smoothing * log_p.mean(-1)).mean()


@wrong("the smoothing is not used")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    return -logits.log_softmax(-1).gather(1, targets[:, None]).mean()


@wrong("the sign: a mean of log-probabilities, negative")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    log_p = logits.log_softmax(-1)
    right_word = log_p.gather(1, targets[:, None]).squeeze(1)
    return ((1 - label_smoothing) * right_word + label_smoothing * log_p.mean(-1)).mean()


@wrong("log_softmax over the tokens")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    log_p = logits.log_softmax(0)
    right_word = -log_p.gather(1, targets[:, None]).squeeze(1)
    return ((1 - label_smoothing) * right_word - label_smoothing * log_p.mean(-1)).mean()


@wrong("softmax and then log: −∞ where a probability is 0")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    log_p = logits.softmax(-1).log()
    right_word = -log_p.gather(1, targets[:, None]).squeeze(1)
    return ((1 - label_smoothing) * right_word - label_smoothing * log_p.mean(-1)).mean()


@wrong("the weights ε and 1 − ε are swapped")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    log_p = logits.log_softmax(-1)
    right_word = -log_p.gather(1, targets[:, None]).squeeze(1)
    return (label_smoothing * right_word - (1 - label_smoothing) * log_p.mean(-1)).mean()


@wrong("columns are picked for all rows: log_p[:, targets]")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    log_p = logits.log_softmax(-1)
    right_word = -log_p[:, targets]
    return (1 - label_smoothing) * right_word.mean() - label_smoothing * log_p.mean()


@wrong("in bits: the logarithm to the base 2")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    log_p = logits.log_softmax(-1)
    right_word = -log_p.gather(1, targets[:, None]).squeeze(1)
    nats = ((1 - label_smoothing) * right_word - label_smoothing * log_p.mean(-1)).mean()
    return nats / math.log(2)


@wrong("a loss for each token")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    log_p = logits.log_softmax(-1)
    right_word = -log_p.gather(1, targets[:, None]).squeeze(1)
    return (1 - label_smoothing) * right_word - label_smoothing * log_p.mean(-1)


@right
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    N, V = logits.shape
    q = torch.full_like(logits, label_smoothing / V)
    q[torch.arange(N), targets] += 1 - label_smoothing
    return -torch.einsum("nv,nv->", q, torch.log_softmax(logits, 1)) / N


@right
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    losses = []
    for row, target in zip(logits, targets):
        log_p = row - row.logsumexp(0)
        losses.append(-(1 - label_smoothing) * log_p[target] - label_smoothing * log_p.mean())
    return sum(losses) / len(losses)
