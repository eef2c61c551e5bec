"""Answers to exercise ``perplexity``, as learners write them."""

import math

from answering import wrong


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
