"""Answers to exercise ``token_cross_entropy``, as learners write them."""

import torch
from answering import right, wrong


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


@wrong("There is no softmax")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    hit = logits.gather(1, targets[:, None])[:, 0]
    return -((1 - label_smoothing) * hit + label_smoothing * logits.mean(-1)).mean()


@wrong("Adding 50 to all logits")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    lp = logits - logits.logsumexp(0, keepdim=True) * 0.5
    hit = lp.gather(1, targets[:, None])[:, 0]
    return -((1 - label_smoothing) * hit + label_smoothing * lp.mean(-1)).mean()


@wrong("∞ was divided by ∞")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    lp = (logits.exp() / logits.exp().sum(-1, keepdim=True)).log()
    hit = lp.gather(1, targets[:, None])[:, 0]
    return -((1 - label_smoothing) * hit + label_smoothing * lp.mean(-1)).mean()


@wrong("keeps its whole weight")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    lp = logits.log_softmax(-1)
    hit = lp.gather(1, targets[:, None])[:, 0]
    return -(hit + label_smoothing * lp.mean(-1)).mean()


@wrong("this is the loss in bits")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    lp = logits.log_softmax(-1) / torch.log(torch.tensor(2.0))
    hit = lp.gather(1, targets[:, None])[:, 0]
    return -((1 - label_smoothing) * hit + label_smoothing * lp.mean(-1)).mean()


@wrong("over the words, log_softmax(-1)")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    lp = logits.log_softmax(0)
    hit = lp.gather(1, targets[:, None])[:, 0]
    return -((1 - label_smoothing) * hit + label_smoothing * lp.mean(-1)).mean()


@wrong("Row n has its own target")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    lp = logits.log_softmax(-1)
    return -((1 - label_smoothing) * lp[:, targets].mean() + label_smoothing * lp.mean())


@wrong("however much is smoothed")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    lp = logits.log_softmax(-1)
    hit = lp.gather(1, targets[:, None])[:, 0]
    return -((1 - 2 * label_smoothing) * hit + label_smoothing * lp.mean(-1)).mean()


@wrong("No gradient comes back")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    q = torch.full_like(logits, label_smoothing / logits.shape[1])
    q[torch.arange(len(targets)), targets] += 1 - label_smoothing
    log_probs = logits.double() - torch.logsumexp(logits.double(), dim=1, keepdim=True)
    return -(q * log_probs).sum().item() / len(targets)


@right
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    total = torch.zeros(())
    for row, y in zip(logits.log_softmax(1), targets):
        total = total - (1 - label_smoothing) * row[y] - label_smoothing * row.mean()
    return total / logits.shape[0]


@right
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    q = torch.full_like(logits, label_smoothing / logits.shape[1])
    q[torch.arange(len(targets)), targets] += 1 - label_smoothing
    log_probs = logits.double() - torch.logsumexp(logits.double(), dim=1, keepdim=True)
    return -(q * log_probs).sum() / len(targets)


@wrong("For the first token the words cost")
def token_cross_entropy(logits, targets, label_smoothing=0.0):
    log_p = logits.log_softmax(-1)
    right = log_p.gather(1, targets.unsqueeze(1)).squeeze(1)
    best = log_p.max(-1).values
    return -((1 - label_smoothing) * right + label_smoothing * best).mean()
