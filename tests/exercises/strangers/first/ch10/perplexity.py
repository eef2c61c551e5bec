"""Answers to exercise ``perplexity``, written from its statement alone."""

import math

import torch
from answering import right, wrong


@wrong("the mean of the batches' perplexities")
def perplexity(batches):
    return sum(math.exp(loss / n) for loss, n in batches) / len(batches)


@wrong("every batch weighs the same")
def perplexity(batches):
    return math.exp(sum(loss / n for loss, n in batches) / len(batches))


@wrong("2 as the base")
def perplexity(batches):
    return 2 ** (sum(loss for loss, _ in batches) / sum(n for _, n in batches))


@wrong("loss per batch, not per token")
def perplexity(batches):
    return math.exp(sum(loss for loss, _ in batches) / len(batches))


@wrong("the mean loss, without exp")
def perplexity(batches):
    return sum(loss for loss, _ in batches) / sum(n for _, n in batches)


@wrong("the mean of the perplexities, weighted by tokens")
def perplexity(batches):
    return sum(n * math.exp(loss / n) for loss, n in batches) / sum(n for _, n in batches)


@wrong("a minus sign too many")
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
