"""Answers to exercise ``first_mistake_rates``, as learners write them."""

import torch
from answering import wrong


@wrong("the error rate of all rows")
def first_mistake_rates(right):
    return 1 - right.double().mean(dim=0)


@wrong("first mistakes as a share of all rows")
def first_mistake_rates(right):
    rates = torch.zeros(right.shape[1])
    for row in right:
        wrong = (~row).nonzero()
        if len(wrong):
            rates[wrong[0, 0]] += 1
    return rates / right.shape[0]


@wrong("Only the position just before was looked at")
def first_mistake_rates(right):
    rates = [(~right[:, 0]).float().mean()]
    for t in range(1, right.shape[1]):
        kept = right[right[:, t - 1]]
        rates.append((~kept[:, t]).float().mean() if len(kept) else torch.tensor(0.0))
    return torch.stack(rates)


@wrong("the share that stays right")
def first_mistake_rates(right):
    still, rates = torch.ones(len(right), dtype=torch.bool), []
    for column in right.T:
        rates.append(column[still].float().mean() if still.any() else torch.tensor(1.0))
        still = still & column
    return torch.stack(rates)


@wrong("NaN (not a number)")
def first_mistake_rates(right):
    still = right.cumprod(1)
    before = torch.cat([torch.ones(len(right), 1), still[:, :-1]], dim=1)
    return (before - still).sum(0) / before.sum(0)
