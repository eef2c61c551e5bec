"""Answers to exercise ``decoder_mask``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the upper triangle: only the future")
def decoder_mask(real):
    T = real.shape[1]
    return torch.ones(T, T, dtype=torch.bool).triu() & real.unsqueeze(1)


@wrong("padding is left out among those that look, not those looked at")
def decoder_mask(real):
    T = real.shape[1]
    return torch.ones(T, T, dtype=torch.bool).tril() & real.unsqueeze(2)


@wrong("padding may not look, either")
def decoder_mask(real):
    T = real.shape[1]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return causal & real.unsqueeze(1) & real.unsqueeze(2)


@wrong("numbers instead of truth values")
def decoder_mask(real):
    T = real.shape[1]
    return torch.ones(T, T).tril() * real.unsqueeze(1)


@right
def decoder_mask(real):
    B, T = real.shape
    table = [[[bool(real[b, j]) and j <= t for j in range(T)] for t in range(T)] for b in range(B)]
    return torch.tensor(table)
