"""Answers to exercise ``decoder_mask``, as learners write them."""

import torch
from answering import right, wrong


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


@right
def decoder_mask(real):
    place = torch.arange(real.shape[1])
    return (place[None, None, :] <= place[None, :, None]) * real[:, None, :]


@right
def decoder_mask(real):
    mask = torch.zeros(len(real), real.shape[1], real.shape[1], dtype=torch.bool)
    for b, sentence in enumerate(real):
        for t in range(len(sentence)):
            mask[b, t, : t + 1] = sentence[: t + 1]
    return mask
