"""Answers to exercise ``masked_cross_entropy``, written from its statement alone."""

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("padding is counted, too")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), label_smoothing=label_smoothing)


@wrong("padding costs nothing but is counted in the divisor")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    losses = F.cross_entropy(
        logits.transpose(1, 2), targets, reduction="none", label_smoothing=label_smoothing
    )
    return (losses * mask).mean()


@wrong("the mean of the sentences' means")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    losses = F.cross_entropy(
        logits.transpose(1, 2), targets, reduction="none", label_smoothing=label_smoothing
    )
    return ((losses * mask).sum(1) / mask.sum(1)).mean()


@wrong("the mask is turned round")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    return F.cross_entropy(logits[~mask], targets[~mask], label_smoothing=label_smoothing)


@wrong("the smoothing is not passed on")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    return F.cross_entropy(logits[mask], targets[mask])


@wrong("token 0 is left out instead of what the mask says")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    return F.cross_entropy(
        logits.transpose(1, 2), targets, ignore_index=0, label_smoothing=label_smoothing
    )


@wrong("the logits of padding are set to 0: each still costs log V")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    logits = logits * mask.unsqueeze(-1)
    return (
        F.cross_entropy(
            logits.transpose(1, 2), targets, reduction="sum", label_smoothing=label_smoothing
        )
        / mask.sum()
    )


@wrong("the loss per sentence: the sum divided by B")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    total = F.cross_entropy(
        logits[mask], targets[mask], reduction="sum", label_smoothing=label_smoothing
    )
    return total / len(targets)


@wrong("the sum of the losses")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    return F.cross_entropy(
        logits[mask], targets[mask], reduction="sum", label_smoothing=label_smoothing
    )


@wrong("the smoothing is fixed at 0.1")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    return F.cross_entropy(logits[mask], targets[mask], label_smoothing=0.1)


@right
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    targets = targets.masked_fill(~mask, -100)
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), label_smoothing=label_smoothing)


@right
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    losses = []
    for b in range(targets.shape[0]):
        for t in range(targets.shape[1]):
            if mask[b, t]:
                log_probs = logits[b, t].log_softmax(-1)
                right = -log_probs[targets[b, t]]
                losses.append((1 - label_smoothing) * right - label_smoothing * log_probs.mean())
    return torch.stack(losses).mean()
