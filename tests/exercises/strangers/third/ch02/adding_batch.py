import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("every row is marked at the positions of all rows")
def adding_batch(values, first, second):
    marks = torch.zeros_like(values)
    marks[:, first] = 1
    marks[:, second] = 1
    return torch.stack([values, marks], dim=-1), (values * marks).sum(1)


@wrong("marks first, numbers second")
def adding_batch(values, first, second):
    rows = torch.arange(len(values))
    marks = torch.zeros_like(values)
    marks[rows, first] = 1
    marks[rows, second] = 1
    return torch.stack([marks, values], dim=-1), (values * marks).sum(1)


@wrong("the target is the sum of all numbers, marked or not")
def adding_batch(values, first, second):
    rows = torch.arange(len(values))
    marks = torch.zeros_like(values)
    marks[rows, first] = 1
    marks[rows, second] = 1
    return torch.stack([values, marks], dim=-1), values.sum(1)


@wrong("stacked along dimension 1: (B, 2, T)")
def adding_batch(values, first, second):
    rows = torch.arange(len(values))
    marks = torch.zeros_like(values)
    marks[rows, first] = 1
    marks[rows, second] = 1
    return torch.stack([values, marks], dim=1), (values * marks).sum(1)


@wrong("the two parts are joined along time instead of a new dimension")
def adding_batch(values, first, second):
    rows = torch.arange(len(values))
    marks = torch.zeros_like(values)
    marks[rows, first] = 1
    marks[rows, second] = 1
    return torch.cat([values, marks], dim=-1), (values * marks).sum(1)


@wrong("the positions are counted from 1")
def adding_batch(values, first, second):
    rows = torch.arange(len(values))
    marks = torch.zeros_like(values)
    marks[rows, first - 1] = 1
    marks[rows, second - 1] = 1
    return torch.stack([values, marks], dim=-1), (values * marks).sum(1)


@wrong("the target adds the positions, not the numbers that stand there")
def adding_batch(values, first, second):
    rows = torch.arange(len(values))
    marks = torch.zeros_like(values)
    marks[rows, first] = 1
    marks[rows, second] = 1
    return torch.stack([values, marks], dim=-1), (first + second).to(values.dtype)


@wrong("the mean of the two marked numbers instead of their sum")
def adding_batch(values, first, second):
    rows = torch.arange(len(values))
    marks = torch.zeros_like(values)
    marks[rows, first] = 1
    marks[rows, second] = 1
    target = (values[rows, first] + values[rows, second]) / 2
    return torch.stack([values, marks], dim=-1), target


@wrong("the numbers that are not marked are set to zero in the inputs")
def adding_batch(values, first, second):
    rows = torch.arange(len(values))
    marks = torch.zeros_like(values)
    marks[rows, first] = 1
    marks[rows, second] = 1
    return torch.stack([values * marks, marks], dim=-1), (values * marks).sum(1)


@wrong("one target for the whole batch: the sum runs over the rows as well")
def adding_batch(values, first, second):
    rows = torch.arange(len(values))
    marks = torch.zeros_like(values)
    marks[rows, first] = 1
    marks[rows, second] = 1
    return torch.stack([values, marks], dim=-1), (values * marks).sum()


@right
def adding_batch(values, first, second):
    T = values.shape[1]
    marks = F.one_hot(first, T) + F.one_hot(second, T)
    marks = marks.to(values.dtype)
    target = torch.einsum("bt,bt->b", values, marks)
    return torch.cat([values[..., None], marks[..., None]], dim=2), target


@right
def adding_batch(values, first, second):
    inputs = torch.zeros(*values.shape, 2)
    inputs[..., 0] = values
    targets = []
    for b, (i, j) in enumerate(zip(first.tolist(), second.tolist())):
        inputs[b, i, 1] = inputs[b, j, 1] = 1.0
        targets.append(values[b, i] + values[b, j])
    return inputs, torch.stack(targets)
