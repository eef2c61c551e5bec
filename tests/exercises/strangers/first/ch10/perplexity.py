"""Answers to exercise ``perplexity``, written from its statement alone."""

import math

from answering import wrong


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
