"""Answers to exercise ``adding_batch``, written from its statement alone."""

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("marks every row at the positions of all rows")
def adding_batch(values, first, second):
    marks = torch.zeros_like(values)
    marks[:, first] = 1
    marks[:, second] = 1
    return torch.stack([values, marks], dim=-1), (values * marks).sum(1)


@wrong("marks first, numbers second")
def adding_batch(values, first, second):
    marks = torch.zeros_like(values)
    rows = torch.arange(len(values))
    marks[rows, first] = 1
    marks[rows, second] = 1
    return torch.stack([marks, values], dim=-1), (values * marks).sum(1)


@wrong("the features in front: (B, 2, T)")
def adding_batch(values, first, second):
    marks = torch.zeros_like(values)
    rows = torch.arange(len(values))
    marks[rows, first] = 1
    marks[rows, second] = 1
    return torch.stack([values, marks], dim=1), (values * marks).sum(1)


@wrong("the target is the sum of all numbers")
def adding_batch(values, first, second):
    marks = torch.zeros_like(values)
    rows = torch.arange(len(values))
    marks[rows, first] = 1
    marks[rows, second] = 1
    return torch.stack([values, marks], dim=-1), values.sum(1)


@wrong("the target is the mean of the two")
def adding_batch(values, first, second):
    marks = torch.zeros_like(values)
    rows = torch.arange(len(values))
    marks[rows, first] = 1
    marks[rows, second] = 1
    return torch.stack([values, marks], dim=-1), (values[rows, first] + values[rows, second]) / 2


@wrong("positions counted from 1")
def adding_batch(values, first, second):
    marks = torch.zeros_like(values)
    rows = torch.arange(len(values))
    marks[rows, first - 1] = 1
    marks[rows, second - 1] = 1
    return torch.stack([values, marks], dim=-1), (values * marks).sum(1)


@wrong("one target for the whole batch")
def adding_batch(values, first, second):
    marks = torch.zeros_like(values)
    rows = torch.arange(len(values))
    marks[rows, first] = 1
    marks[rows, second] = 1
    return torch.stack([values, marks], dim=-1), (values * marks).sum()


@wrong("targets as a column (B, 1)")
def adding_batch(values, first, second):
    marks = torch.zeros_like(values)
    rows = torch.arange(len(values))
    marks[rows, first] = 1
    marks[rows, second] = 1
    return torch.stack([values, marks], dim=-1), (values * marks).sum(1, keepdim=True)


@wrong("everything between the two positions is marked")
def adding_batch(values, first, second):
    place = torch.arange(values.shape[1])
    marks = ((place >= first[:, None]) & (place <= second[:, None])).to(values.dtype)
    return torch.stack([values, marks], dim=-1), (values * marks).sum(1)


@wrong("side by side along time: (B, 2T)")
def adding_batch(values, first, second):
    marks = torch.zeros_like(values)
    rows = torch.arange(len(values))
    marks[rows, first] = 1
    marks[rows, second] = 1
    return torch.cat([values, marks], dim=-1), (values * marks).sum(1)


@wrong("adds the positions, not the numbers that stand there")
def adding_batch(values, first, second):
    marks = torch.zeros_like(values)
    rows = torch.arange(len(values))
    marks[rows, first] = 1
    marks[rows, second] = 1
    return torch.stack([values, marks], dim=-1), (first + second).to(values.dtype)


@wrong("the second mark is 2")
def adding_batch(values, first, second):
    marks = torch.zeros_like(values)
    rows = torch.arange(len(values))
    marks[rows, first] = 1
    marks[rows, second] = 2
    target = values[rows, first] + values[rows, second]
    return torch.stack([values, marks], dim=-1), target


@wrong("the positions of the first row serve for all")
def adding_batch(values, first, second):
    marks = torch.zeros_like(values)
    marks[:, [int(first[0]), int(second[0])]] = 1
    return torch.stack([values, marks], dim=-1), (values * marks).sum(1)


@right
def adding_batch(values, first, second):
    T = values.shape[1]
    marks = F.one_hot(first, T) + F.one_hot(second, T)
    inputs = torch.cat([values.unsqueeze(2), marks.unsqueeze(2).to(values)], dim=2)
    return inputs, torch.einsum("bt,bt->b", values, marks.to(values))


@right
def adding_batch(values, first, second):
    inputs, targets = [], []
    for row, one, two in zip(values.tolist(), first.tolist(), second.tolist()):
        inputs.append([[number, float(t in (one, two))] for t, number in enumerate(row)])
        targets.append(row[one] + row[two])
    return torch.tensor(inputs), torch.tensor(targets)


@right
def adding_batch(values, first, second):
    both = torch.stack([first, second], dim=1)
    marks = torch.zeros_like(values).scatter(1, both, 1.0)
    return [torch.stack((values, marks), 2), values.gather(1, both).sum(1)]
