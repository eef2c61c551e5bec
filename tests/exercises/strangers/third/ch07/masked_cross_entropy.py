import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("padding is in the mean: all B · T tokens")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), label_smoothing=label_smoothing)


@wrong("padding costs nothing but is counted below the line")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    losses = F.cross_entropy(
        logits.flatten(0, 1), targets.flatten(), reduction="none", label_smoothing=label_smoothing
    )
    return (losses * mask.flatten()).mean()


@wrong("a mean for each sentence, then the mean of these")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    losses = [
        F.cross_entropy(x[m], y[m], label_smoothing=label_smoothing)
        for x, y, m in zip(logits, targets, mask)
    ]
    return torch.stack(losses).mean()


@wrong("the sum over the real tokens")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    return F.cross_entropy(
        logits[mask], targets[mask], reduction="sum", label_smoothing=label_smoothing
    )


@wrong("the smoothing is not handed on")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    return F.cross_entropy(logits[mask], targets[mask])


@wrong("the padding is what is picked")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    return F.cross_entropy(logits[~mask], targets[~mask], label_smoothing=label_smoothing)


@wrong("logits at padding are set to 0, where they still cost log V")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    quiet = logits * mask.unsqueeze(-1)
    return F.cross_entropy(quiet.flatten(0, 1), targets.flatten(), label_smoothing=label_smoothing)


@wrong("the token 0 is ignored wherever it stands, instead of what the mask says")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    return F.cross_entropy(
        logits.flatten(0, 1), targets.flatten(), ignore_index=0, label_smoothing=label_smoothing
    )


@wrong("divided by the number of sentences")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    total = F.cross_entropy(
        logits[mask], targets[mask], reduction="sum", label_smoothing=label_smoothing
    )
    return total / len(targets)


@wrong("the smoothing is always 0.1, whatever the argument says")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    return F.cross_entropy(logits[mask], targets[mask], label_smoothing=0.1)


@wrong("targets at padding are overwritten with −100 in the caller's table")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    targets[~mask] = -100
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), label_smoothing=label_smoothing)


@wrong("a perplexity: the exponential of the loss")
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    return F.cross_entropy(logits[mask], targets[mask], label_smoothing=label_smoothing).exp()


@right
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    marked = torch.where(mask, targets, torch.full_like(targets, -100))
    return F.cross_entropy(
        logits.permute(0, 2, 1), marked, ignore_index=-100, label_smoothing=label_smoothing
    )


@right
def masked_cross_entropy(logits, targets, mask, label_smoothing=0.0):
    total, count = 0.0, 0
    for rows, words, real in zip(logits, targets, mask):
        log_p = F.log_softmax(rows[real], dim=-1)
        for row, word in zip(log_p, words[real].tolist()):
            total = total - (1 - label_smoothing) * row[word] - label_smoothing * row.mean()
            count += 1
    return total / count
