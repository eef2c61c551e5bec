"""Answers to exercise ``first_mistake_rates``, as learners write them."""

import torch
from answering import wrong


@wrong("the share that stays right")
def first_mistake_rates(right):
    still, rates = torch.ones(len(right), dtype=torch.bool), []
    for column in right.T:
        rates.append(column[still].float().mean() if still.any() else torch.tensor(1.0))
        still = still & column
    return torch.stack(rates)
