"""Answers to exercise ``decoder_mask``, as learners write them."""

from answering import wrong


@wrong("other way round")
def decoder_mask(real):
    import torch

    T = real.shape[1]
    future = torch.ones(T, T).triu(1).bool()
    return future | ~real[:, None, :]


@wrong("words *after* it")
def decoder_mask(real):
    import torch

    T = real.shape[1]
    t = torch.arange(T)
    return (t[:, None] <= t[None, :]) & real[:, None, :]


@wrong("diagonal is missing")
def decoder_mask(real):
    import torch

    T = real.shape[1]
    return torch.ones(T, T, dtype=torch.bool).tril(-1) & real.unsqueeze(1)


@wrong("Padding may be attended")
def decoder_mask(real):
    import torch

    B, T = real.shape
    return torch.ones(B, T, T, dtype=torch.bool).tril()


@wrong("the future is not")
def decoder_mask(real):
    B, T = real.shape
    return real[:, None, :].repeat(1, T, 1)


@wrong("not of the columns")
def decoder_mask(real):
    import torch

    T = real.shape[1]
    return torch.ones(T, T, dtype=torch.bool).tril() & real[:, :, None]
