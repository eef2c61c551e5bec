"""Answers to exercise ``adding_batch``, as learners write them."""

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("marks the positions of *all* rows")
def adding_batch(values, first, second):
    import torch

    B, T = values.shape
    inputs = torch.zeros(B, T, 2)
    inputs[:, :, 0] = values
    inputs[:, first, 1] = 1
    inputs[:, second, 1] = 1
    return inputs, inputs.prod(-1).sum(-1)


@wrong("the sum of all numbers")
def adding_batch(values, first, second):
    import torch

    B, T = values.shape
    inputs = torch.zeros(B, T, 2)
    inputs[..., 0] = values
    for b in range(B):
        inputs[b, first[b], 1] = 1
        inputs[b, second[b], 1] = 1
    return inputs, values.sum(dim=1)


@wrong("the mean of the two")
def adding_batch(values, first, second):
    import torch

    B, T = values.shape
    inputs = torch.zeros(B, T, 2)
    inputs[..., 0] = values
    for b in range(B):
        inputs[b, first[b], 1] = 1
        inputs[b, second[b], 1] = 1
    t = values[inputs[..., 1] == 1].view(B, 2)
    return inputs, t.mean(1)


@wrong("The two features are exchanged")
def adding_batch(values, first, second):
    import torch

    B, T = values.shape
    inputs = torch.zeros(B, T, 2)
    inputs[..., 0] = values
    for b in range(B):
        inputs[b, first[b], 1] = 1
        inputs[b, second[b], 1] = 1
    total = (values * inputs[..., 1]).sum(1)
    return inputs[..., [1, 0]], total


@wrong("Positions are counted from 0")
def adding_batch(values, first, second):
    import torch

    B, T = values.shape
    inputs = torch.zeros(B, T, 2)
    inputs[..., 0] = values
    for b in range(B):
        inputs[b, first[b] - 1, 1] = 1
        inputs[b, second[b] - 1, 1] = 1
    return inputs, (inputs[..., 0] * inputs[..., 1]).sum(1)


@wrong("the product of the two")
def adding_batch(values, first, second):
    import torch

    B, T = values.shape
    inputs = torch.zeros(B, T, 2)
    inputs[..., 0] = values
    for b in range(B):
        inputs[b, first[b], 1] = 1
        inputs[b, second[b], 1] = 1
    rows = range(B)
    return inputs, values[rows, first] * values[rows, second]


@wrong("Feature 1 holds the marked numbers themselves")
def adding_batch(values, first, second):
    import torch

    B, T = values.shape
    inputs = torch.zeros(B, T, 2)
    inputs[..., 0] = values
    for b in range(B):
        inputs[b, first[b], 1] = 1
        inputs[b, second[b], 1] = 1
    inputs[..., 1] = inputs[..., 1] * values
    return inputs, inputs[..., 1].sum(1)


@wrong("The features come before time, (B, 2, T).")
def adding_batch(values, first, second):
    marks = torch.zeros_like(values)
    rows = torch.arange(len(values))
    marks[rows, first] = 1
    marks[rows, second] = 1
    return torch.stack([values, marks], dim=1), (values * marks).sum(1)


@wrong("The target is one number for the whole batch.")
def adding_batch(values, first, second):
    marks = torch.zeros_like(values)
    rows = torch.arange(len(values))
    marks[rows, first] = 1
    marks[rows, second] = 1
    return torch.stack([values, marks], dim=-1), (values * marks).sum()


@wrong("The target is a column (B, 1).")
def adding_batch(values, first, second):
    marks = torch.zeros_like(values)
    rows = torch.arange(len(values))
    marks[rows, first] = 1
    marks[rows, second] = 1
    return torch.stack([values, marks], dim=-1), (values * marks).sum(1, keepdim=True)


@wrong("Everything between the two positions is marked.")
def adding_batch(values, first, second):
    place = torch.arange(values.shape[1])
    marks = ((place >= first[:, None]) & (place <= second[:, None])).to(values.dtype)
    return torch.stack([values, marks], dim=-1), (values * marks).sum(1)


@wrong("Numbers and marks stand one after the other along time, (B, 2T).")
def adding_batch(values, first, second):
    marks = torch.zeros_like(values)
    rows = torch.arange(len(values))
    marks[rows, first] = 1
    marks[rows, second] = 1
    return torch.cat([values, marks], dim=-1), (values * marks).sum(1)


@wrong("The positions are added up.")
def adding_batch(values, first, second):
    marks = torch.zeros_like(values)
    rows = torch.arange(len(values))
    marks[rows, first] = 1
    marks[rows, second] = 1
    return torch.stack([values, marks], dim=-1), (first + second).to(values.dtype)


@wrong("The second mark is 2.")
def adding_batch(values, first, second):
    marks = torch.zeros_like(values)
    rows = torch.arange(len(values))
    marks[rows, first] = 1
    marks[rows, second] = 2
    target = values[rows, first] + values[rows, second]
    return torch.stack([values, marks], dim=-1), target


@wrong("The positions of the first row serve for all.")
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
