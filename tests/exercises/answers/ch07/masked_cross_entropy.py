"""Answers to exercise ``masked_cross_entropy``, as learners write them."""

from answering import wrong


@wrong("Padding is counted like any other word")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    import torch.nn.functional as F

    return F.cross_entropy(logits.transpose(1, 2), targets, label_smoothing=label_smoothing)


@wrong("still divided by all positions")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    import torch.nn.functional as F

    each = F.cross_entropy(
        logits.transpose(1, 2), targets, reduction="none", label_smoothing=label_smoothing
    )
    return (each * mask).mean()


@wrong("mean of the sentences' means")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    import torch.nn.functional as F

    each = F.cross_entropy(
        logits.transpose(1, 2), targets, reduction="none", label_smoothing=label_smoothing
    )
    return ((each * mask).sum(1) / mask.sum(1)).mean()


@wrong("the wrong way round")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    import torch.nn.functional as F

    padding = mask.logical_not()
    return F.cross_entropy(logits[padding], targets[padding], label_smoothing=label_smoothing)


@wrong("smoothing is left out")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    import torch.nn.functional as F

    return F.cross_entropy(logits[mask], targets[mask])


@wrong("the loss is per token")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    import torch.nn.functional as F

    return F.cross_entropy(
        logits[mask], targets[mask], reduction="sum", label_smoothing=label_smoothing
    )
