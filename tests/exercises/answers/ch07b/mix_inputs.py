"""Answers to exercise ``mix_inputs``, as learners write them."""

import torch
from answering import wrong


@wrong("the share is the probability of *gold*")
def mix_inputs(gold, own, share, generator):
    coins = torch.rand(gold.shape, generator=generator)
    return torch.where(coins < share, own, gold)


@wrong("cannot be averaged")
def mix_inputs(gold, own, share, generator):
    return (share * gold + (1 - share) * own).long()


@wrong("drawn from the generator that was given")
def mix_inputs(gold, own, share, generator):
    coins = torch.rand(gold.shape) < share
    return torch.where(coins, gold, own)


@wrong("Is one coin used for several tokens?")
def mix_inputs(gold, own, share, generator):
    half = -(-gold.shape[1] // 2)
    coins = torch.rand(len(gold), half, generator=generator).repeat_interleave(2, 1)
    return torch.where(coins[:, : gold.shape[1]] < share, gold, own)
