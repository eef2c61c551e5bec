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


@wrong("loss per batch")
def perplexity(batches):
    return math.exp(sum(nll for nll, _ in batches) / len(batches))


@right
def perplexity(batches):
    losses, tokens = zip(*batches)
    return float(math.e ** (sum(losses) / sum(tokens)))


@right
def perplexity(batches):
    table = torch.tensor([[float(a), float(b)] for a, b in batches], dtype=torch.float64).sum(0)
    return torch.exp(table[0] / table[1]).item()


@wrong("whatever batch it is in")  # and not that the first batch alone counts
def perplexity(batches):
    return math.exp(max(nll / n for nll, n in batches))
