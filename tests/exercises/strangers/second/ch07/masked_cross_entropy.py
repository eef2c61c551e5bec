"""Answers to exercise ``masked_cross_entropy``, written from its statement alone."""

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("padding is averaged in")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    V = logits.shape[-1]
    return F.cross_entropy(
        logits.reshape(-1, V), targets.reshape(-1), label_smoothing=label_smoothing
    )


@wrong("the loss of padding is zero, but the sum is divided by all places")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    loss = F.cross_entropy(
        logits.transpose(1, 2), targets, reduction="none", label_smoothing=label_smoothing
    )
    return (loss * mask).mean()


@wrong("label_smoothing is ignored")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    return F.cross_entropy(logits[mask], targets[mask])


@wrong("the sum, not the mean")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    return F.cross_entropy(
        logits[mask], targets[mask], label_smoothing=label_smoothing, reduction="sum"
    )


@wrong("the mean of the sentences' means: long sentences weigh too little")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    losses = [
        F.cross_entropy(z[m], y[m], label_smoothing=label_smoothing)
        for z, y, m in zip(logits, targets, mask)
    ]
    return torch.stack(losses).mean()


@wrong("the mask is inverted")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    return F.cross_entropy(logits[~mask], targets[~mask], label_smoothing=label_smoothing)


@wrong("logits are multiplied by the mask, which makes padding an even guess that still counts")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    logits = logits * mask.unsqueeze(-1)
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), label_smoothing=label_smoothing)


@wrong("divided by the number of sentences, not of tokens")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    total = F.cross_entropy(
        logits[mask], targets[mask], label_smoothing=label_smoothing, reduction="sum"
    )
    return total / len(targets)


@right
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    loss = F.cross_entropy(
        logits.transpose(1, 2), targets, reduction="none", label_smoothing=label_smoothing
    )
    return (loss * mask).sum() / mask.sum()


@right
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    V = logits.shape[-1]
    total, count = 0.0, 0
    for b in range(targets.shape[0]):
        for t in range(targets.shape[1]):
            if mask[b, t]:
                log_p = logits[b, t] - torch.logsumexp(logits[b, t], 0)
                gold = -log_p[targets[b, t]]
                even = -log_p.sum() / V
                total = total + (1 - label_smoothing) * gold + label_smoothing * even
                count += 1
    return total / count
