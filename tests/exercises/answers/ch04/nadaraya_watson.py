"""Answers to exercise ``nadaraya_watson``, as learners write them."""

import torch
from answering import wrong


@wrong("0/0 is not a number")
def nadaraya_watson(query, keys, values, bandwidth):
    u = torch.cdist(query, keys) / bandwidth
    k = torch.exp(-(u**2) / 2)
    return (k * values).sum(1) / k.sum(1)


@wrong("The 2 is missing")
def nadaraya_watson(query, keys, values, bandwidth):
    u = (query[:, None] - keys[None]) / bandwidth
    return torch.softmax(-(u**2).sum(2), 1) @ values


@wrong("The bandwidth is not squared")
def nadaraya_watson(query, keys, values, bandwidth):
    d2 = ((query[:, None] - keys[None]) ** 2).sum(2)
    return torch.softmax(-0.5 * d2 / bandwidth, 1) @ values


@wrong("The distance is not squared")
def nadaraya_watson(query, keys, values, bandwidth):
    d = ((query[:, None] - keys[None]) ** 2).sum(2) ** 0.5
    return torch.softmax(-0.5 * d / bandwidth**2, 1) @ values


@wrong("Far keys weigh more")
def nadaraya_watson(query, keys, values, bandwidth):
    d2 = ((query[:, None] - keys[None]) ** 2).sum(2)
    return torch.softmax(d2 / (2 * bandwidth**2), 1) @ values


@wrong("runs over the queries")
def nadaraya_watson(query, keys, values, bandwidth):
    d2 = ((query[:, None] - keys[None]) ** 2).sum(2)
    return torch.softmax(-d2 / (2 * bandwidth**2), 0) @ values


@wrong("the nearest key alone")
def nadaraya_watson(query, keys, values, bandwidth):
    d2 = ((query[:, None] - keys[None]) ** 2).sum(2)
    return torch.stack([values[row.argmin()] for row in d2])


@wrong("When every value is 5, a prediction is")
def nadaraya_watson(query, keys, values, bandwidth):
    d2 = ((query[:, None] - keys[None]) ** 2).sum(2)
    return torch.exp(-d2 / (2 * bandwidth**2)) @ values
