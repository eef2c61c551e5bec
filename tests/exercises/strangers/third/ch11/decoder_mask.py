import math

import torch
from answering import right, wrong


@wrong("the triangle above the diagonal: only what comes later")
def decoder_mask(real):
    T = real.shape[1]
    return real.unsqueeze(1) & torch.ones(T, T, dtype=torch.bool).triu()


@wrong("a position may not look at itself")
def decoder_mask(real):
    T = real.shape[1]
    return real.unsqueeze(1) & torch.ones(T, T, dtype=torch.bool).tril(-1)


@wrong("one step into the future is allowed")
def decoder_mask(real):
    T = real.shape[1]
    return real.unsqueeze(1) & torch.ones(T, T, dtype=torch.bool).tril(1)


@wrong("padding belongs to t instead of j: unsqueeze at the wrong place")
def decoder_mask(real):
    T = real.shape[1]
    return real.unsqueeze(2) & torch.ones(T, T, dtype=torch.bool).tril()


@wrong("both must be real, t as well")
def decoder_mask(real):
    T = real.shape[1]
    return real.unsqueeze(1) & real.unsqueeze(2) & torch.ones(T, T, dtype=torch.bool).tril()


@wrong("or instead of and")
def decoder_mask(real):
    T = real.shape[1]
    return real.unsqueeze(1) | torch.ones(T, T, dtype=torch.bool).tril()


@wrong("True = may not")
def decoder_mask(real):
    T = real.shape[1]
    return ~(real.unsqueeze(1) & torch.ones(T, T, dtype=torch.bool).tril())


@wrong("the padding is not looked at")
def decoder_mask(real):
    T = real.shape[1]
    return torch.ones(T, T, dtype=torch.bool).tril().expand(len(real), T, T)


@wrong("the future is not looked at")
def decoder_mask(real):
    T = real.shape[1]
    return real.unsqueeze(1).expand(-1, T, -1)


@wrong("numbers, not booleans")
def decoder_mask(real):
    T = real.shape[1]
    return real.unsqueeze(1) * torch.ones(T, T).tril()


@wrong("the triangle is transposed: rows and columns are mixed up")
def decoder_mask(real):
    T = real.shape[1]
    return real.unsqueeze(1) & torch.ones(T, T, dtype=torch.bool).tril().T


@wrong("one table for the whole batch: real anywhere")
def decoder_mask(real):
    T = real.shape[1]
    return real.any(0) & torch.ones(T, T, dtype=torch.bool).tril()


@wrong("0 and −∞, ready to be added to scores")
def decoder_mask(real):
    T = real.shape[1]
    may = real.unsqueeze(1) & torch.ones(T, T, dtype=torch.bool).tril()
    return torch.zeros(may.shape).masked_fill(~may, -math.inf)


@right
def decoder_mask(real):
    positions = torch.arange(real.shape[1])
    return (positions[None, :] <= positions[:, None]).logical_and(real[:, None, :])


@right
def decoder_mask(real):
    tables = []
    for row in real.tolist():
        T = len(row)
        tables.append([[row[j] and j <= t for j in range(T)] for t in range(T)])
    return torch.tensor(tables, dtype=torch.bool)
