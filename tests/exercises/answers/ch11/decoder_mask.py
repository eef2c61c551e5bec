"""Answers to exercise ``decoder_mask``, as learners write them."""

import torch
from answering import right, wrong


@wrong("other way round")
def decoder_mask(real):
    T = real.shape[1]
    future = torch.ones(T, T).triu(1).bool()
    return future | ~real[:, None, :]


@wrong("words *after* it")
def decoder_mask(real):
    T = real.shape[1]
    t = torch.arange(T)
    return (t[:, None] <= t[None, :]) & real[:, None, :]


@wrong("diagonal is missing")
def decoder_mask(real):
    T = real.shape[1]
    return torch.ones(T, T, dtype=torch.bool).tril(-1) & real.unsqueeze(1)


@wrong("Padding may be attended")
def decoder_mask(real):
    B, T = real.shape
    return torch.ones(B, T, T, dtype=torch.bool).tril()


@wrong("the future is not")
def decoder_mask(real):
    B, T = real.shape
    return real[:, None, :].repeat(1, T, 1)


@wrong("not of the columns")
def decoder_mask(real):
    T = real.shape[1]
    return torch.ones(T, T, dtype=torch.bool).tril() & real[:, :, None]


@wrong("One of the two is enough here")
def decoder_mask(real):
    T = real.shape[1]
    return torch.ones(T, T, dtype=torch.bool).tril() | real.unsqueeze(1)


@wrong("padding of the first sentence is used")
def decoder_mask(real):
    T = real.shape[1]
    return (torch.ones(T, T, dtype=torch.bool).tril() & real[0]).expand(len(real), T, T)


@wrong("taken out of the rows and of the columns")
def decoder_mask(real):
    T = real.shape[1]
    return torch.ones(T, T, dtype=torch.bool).tril() & real.unsqueeze(1) & real.unsqueeze(2)


@wrong("which comes after it")
def decoder_mask(real):
    mask = torch.ones(real.shape[1], real.shape[1], dtype=torch.bool).tril() & real.unsqueeze(1)
    mask[-1, 0] = real[-1]
    return mask


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
