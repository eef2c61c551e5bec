"""Answers to exercise ``adding_batch``, as learners write them."""

from answering import wrong


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
