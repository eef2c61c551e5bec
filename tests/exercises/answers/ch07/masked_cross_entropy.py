"""Answers to exercise ``masked_cross_entropy``, as learners write them."""

from answering import right, wrong
from torch.nn import functional as F


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


@wrong("The loss is per token")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    import torch.nn.functional as F

    return F.cross_entropy(
        logits[mask], targets[mask], reduction="sum", label_smoothing=label_smoothing
    )


@wrong("Word 0 is left out, whatever the mask says")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    import torch.nn.functional as F

    return F.cross_entropy(
        logits.flatten(0, 1), targets.flatten(), ignore_index=0, label_smoothing=label_smoothing
    )


@wrong("each padding still costs log V")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    import torch.nn.functional as F

    logits = logits.masked_fill(~mask.unsqueeze(-1), 0.0).transpose(1, 2)
    total = F.cross_entropy(logits, targets, reduction="sum", label_smoothing=label_smoothing)
    return total / mask.sum()


@wrong("This is the loss per sentence")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    import torch.nn.functional as F

    total = F.cross_entropy(
        logits[mask], targets[mask], reduction="sum", label_smoothing=label_smoothing
    )
    return total / logits.shape[0]


@wrong("The smoothing is always 0.1")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    import torch.nn.functional as F

    return F.cross_entropy(logits[mask], targets[mask], label_smoothing=0.1)


@wrong("Every token weighs the same")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    import torch.nn.functional as F

    rows = [
        F.cross_entropy(x[m], y[m], label_smoothing=label_smoothing)
        for x, y, m in zip(logits, targets, mask)
    ]
    return sum(rows) / len(rows) ** 0.5


@wrong("No gradient comes back")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    log_probs = logits.double().log_softmax(-1)
    total, count = 0.0, 0
    for b, t in mask.nonzero().tolist():
        right = log_probs[b, t, targets[b, t]]
        total = total - (1 - label_smoothing) * right - label_smoothing * log_probs[b, t].mean()
        count += 1
    return float(total) / count


@right
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    import torch.nn.functional as F

    targets = targets.masked_fill(~mask, -100).flatten()
    return F.cross_entropy(logits.flatten(0, 1), targets, label_smoothing=label_smoothing)


@right
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    log_probs = logits.double().log_softmax(-1)
    total, count = 0.0, 0
    for b, t in mask.nonzero().tolist():
        right = log_probs[b, t, targets[b, t]]
        total = total - (1 - label_smoothing) * right - label_smoothing * log_probs[b, t].mean()
        count += 1
    return total / count


@wrong("each padding still costs log V")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    quiet = (logits * mask.unsqueeze(-1)).flatten(0, 1)
    return F.cross_entropy(quiet, targets.flatten(), label_smoothing=label_smoothing)


@wrong("wants the words in dimension 1")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    return F.cross_entropy(logits * mask.unsqueeze(-1), targets, label_smoothing=label_smoothing)
