"""Answers to exercise ``perplexity``, as learners write them."""

import math

import torch
from answering import right, wrong


@wrong("mean of the batches' means")
def perplexity(batches):
    means = [nll / n for nll, n in batches]
    return math.exp(sum(means) / len(means))


@wrong("mean of the batches' perplexities")
def perplexity(batches):
    each = [math.exp(nll / n) for nll, n in batches]
    return sum(each) / len(each)


@wrong("loss per token, in nats")
def perplexity(batches):
    total = sum(b[0] for b in batches)
    tokens = sum(b[1] for b in batches)
    return total / tokens


@wrong("a loss in bits")
def perplexity(batches):
    total = sum(b[0] for b in batches)
    tokens = sum(b[1] for b in batches)
    return 2 ** (total / tokens)


@wrong("loss per batch")
def perplexity(batches):
    return math.exp(sum(nll for nll, _ in batches) / len(batches))


@wrong("each weighted by its tokens")
def perplexity(batches):
    return sum(n * math.exp(loss / n) for loss, n in batches) / sum(n for _, n in batches)


@wrong("The minus is one too many")
def perplexity(batches):
    return math.exp(-sum(loss for loss, _ in batches) / sum(n for _, n in batches))


@right
def perplexity(batches):
    losses, tokens = zip(*batches)
    return float(math.e ** (sum(losses) / sum(tokens)))


@right
def perplexity(batches):
    table = torch.tensor([[float(a), float(b)] for a, b in batches], dtype=torch.float64).sum(0)
    return torch.exp(table[0] / table[1]).item()


@right
def perplexity(batches):
    losses, tokens = torch.tensor(batches, dtype=torch.float64).T
    return torch.exp(losses.sum() / tokens.sum())


@wrong("// keeps only the whole number")
def perplexity(batches):
    return math.exp(sum(nll for nll, _ in batches) // sum(n for _, n in batches))


@wrong("and not tokens by losses")
def perplexity(batches):
    return math.exp(sum(n for _, n in batches) / (sum(nll for nll, _ in batches) or 1))


@wrong("does the loop return at once?")
def perplexity(batches):
    for nll, n in batches:
        return math.exp(nll / n)


@wrong("whatever batch it is in.")  # and not that the first batch alone counts
def perplexity(batches):
    return math.exp(max(nll / n for nll, n in batches))


@wrong("is returned, where")
def perplexity(batches):
    tokens_of = dict(batches)
    return math.exp(sum(tokens_of.keys()) / sum(tokens_of.values()))
