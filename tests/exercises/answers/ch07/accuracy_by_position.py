"""Answers to exercise ``accuracy_by_position``, as learners write them."""

import torch
from answering import wrong


@wrong("Padding counts as right")
def accuracy_by_position(written, gold, mask):
    return (written == gold).float().mean(dim=0)


@wrong("by the number of sentences")
def accuracy_by_position(written, gold, mask):
    right = torch.logical_and(written == gold, mask)
    return right.float().mean(0)


@wrong("accuracy of each sentence")
def accuracy_by_position(written, gold, mask):
    right = (written == gold) * mask
    return right.sum(dim=1) / mask.sum(dim=1)


@wrong("one number for all positions")
def accuracy_by_position(written, gold, mask):
    right = ((written == gold) & mask).sum()
    return right / mask.sum()


@wrong("share of mistakes")
def accuracy_by_position(written, gold, mask):
    wrong = torch.ne(written, gold) & mask
    return wrong.sum(0) / mask.sum(0)


@wrong("no right answer there")
def accuracy_by_position(written, gold, mask):
    return (written == gold).sum(0) / mask.sum(0)
