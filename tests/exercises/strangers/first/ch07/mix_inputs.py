"""Answers to exercise ``mix_inputs``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("one coin for the whole batch")
def mix_inputs(gold, own, share, generator):
    if torch.rand(1, generator=generator).item() < share:
        return gold
    return own


@wrong("share is the probability of own")
def mix_inputs(gold, own, share, generator):
    coins = torch.rand(gold.shape, generator=generator) > share
    return torch.where(coins, gold, own)


@wrong("the generator is not used")
def mix_inputs(gold, own, share, generator):
    return torch.where(torch.rand(gold.shape) < share, gold, own)


@wrong("own is changed in place")
def mix_inputs(gold, own, share, generator):
    coins = torch.rand(gold.shape, generator=generator) < share
    own[coins] = gold[coins]
    return own


@wrong("the first share of every sentence is gold: no coins at all")
def mix_inputs(gold, own, share, generator):
    n = round(share * gold.shape[1])
    return torch.cat([gold[:, :n], own[:, n:]], dim=1)


@wrong("a fresh generator with a fixed seed: the same coins at every call")
def mix_inputs(gold, own, share, generator):
    generator = torch.Generator().manual_seed(0)
    coins = torch.rand(gold.shape, generator=generator) < share
    return torch.where(coins, gold, own)


@wrong("the coins are weights: the token numbers become fractions")
def mix_inputs(gold, own, share, generator):
    coins = torch.rand(gold.shape, generator=generator)
    return coins * gold + (1 - coins) * own


@right
def mix_inputs(gold, own, share, generator):
    coins = torch.bernoulli(torch.full(gold.shape, float(share)), generator=generator).bool()
    mixed = own.clone()
    mixed[coins] = gold[coins]
    return mixed


@right
def mix_inputs(gold, own, share, generator):
    rows = []
    for b in range(gold.shape[0]):
        row = []
        for t in range(gold.shape[1]):
            coin = torch.rand(1, generator=generator).item() < share
            row.append(int(gold[b, t]) if coin else int(own[b, t]))
        rows.append(row)
    return torch.tensor(rows)
