import math

import numpy as np
from answering import right, wrong


@wrong("the mean of the batches' own losses: small batches weigh too much")
def perplexity(batches):
    return math.exp(sum(loss / tokens for loss, tokens in batches) / len(batches))


@wrong("the mean of the batches' perplexities")
def perplexity(batches):
    return sum(math.exp(loss / tokens) for loss, tokens in batches) / len(batches)


@wrong("2 is the base")
def perplexity(batches):
    return 2 ** (sum(loss for loss, _ in batches) / sum(tokens for _, tokens in batches))


@wrong("the exponential is forgotten: the loss per token")
def perplexity(batches):
    return sum(loss for loss, _ in batches) / sum(tokens for _, tokens in batches)


@wrong("the sum of the losses is divided by the number of batches")
def perplexity(batches):
    return math.exp(min(sum(loss for loss, _ in batches) / len(batches), 700))


@wrong("the sum is not divided at all")
def perplexity(batches):
    return math.exp(min(sum(loss for loss, _ in batches), 700))


@wrong("the last batch only: = in place of +=")
def perplexity(batches):
    total = count = 0
    for loss, tokens in batches:
        total = loss
        count = tokens
    return math.exp(total / count)


@wrong("a minus in the exponent: the probability per token")
def perplexity(batches):
    return math.exp(-sum(loss for loss, _ in batches) / sum(tokens for _, tokens in batches))


@wrong("whole-number division")
def perplexity(batches):
    return math.exp(sum(loss for loss, _ in batches) // sum(tokens for _, tokens in batches))


@wrong("each loss is multiplied by its tokens, as if it were a mean")
def perplexity(batches):
    count = sum(tokens for _, tokens in batches)
    return math.exp(min(sum(loss * tokens for loss, tokens in batches) / count, 700))


@wrong("the pair is unpacked the wrong way round")
def perplexity(batches):
    return math.exp(min(sum(n for _, n in batches) / sum(loss for loss, _ in batches), 700))


@wrong("returns inside the loop: the first batch alone")
def perplexity(batches):
    total = count = 0
    for loss, tokens in batches:
        total += loss
        count += tokens
        return math.exp(total / count)


@right
def perplexity(batches):
    losses, tokens = zip(*batches)
    return float(np.exp(np.sum(losses) / np.sum(tokens)))


@right
def perplexity(batches):
    count = sum(tokens for _, tokens in batches)
    product = 1.0
    for loss, _ in batches:
        product *= math.e ** (loss / count)
    return product
