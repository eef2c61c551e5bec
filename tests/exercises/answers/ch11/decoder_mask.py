"""Answers to exercise ``decoder_mask``, as learners write them."""

import torch
from answering import wrong


@wrong("may not attend to position 0, which is real")
def decoder_mask(real):
    T = real.shape[1]
    return torch.ones(T, T, dtype=torch.bool).tril(-1) & real.unsqueeze(1)


@wrong("which is padding")
def decoder_mask(real):
    B, T = real.shape
    return torch.ones(B, T, T, dtype=torch.bool).tril()


@wrong("not of the columns")
def decoder_mask(real):
    T = real.shape[1]
    return torch.ones(T, T, dtype=torch.bool).tril() & real[:, :, None]


@wrong("taken out of the rows and of the columns")
def decoder_mask(real):
    T = real.shape[1]
    return torch.ones(T, T, dtype=torch.bool).tril() & real.unsqueeze(1) & real.unsqueeze(2)
