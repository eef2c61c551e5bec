"""Answers to exercise ``nadaraya_watson``, written from its statement alone."""

import math

import torch
from answering import right, wrong


@wrong("the bandwidth is not squared")
def nadaraya_watson(query, keys, values, bandwidth):
    distance = ((query.unsqueeze(1) - keys) ** 2).sum(-1)
    return (-distance / (2 * bandwidth)).softmax(-1) @ values


@wrong("the half is forgotten")
def nadaraya_watson(query, keys, values, bandwidth):
    distance = ((query.unsqueeze(1) - keys) ** 2).sum(-1)
    return (-distance / bandwidth**2).softmax(-1) @ values


@wrong("the ratio of the kernels: 0/0 far away")
def nadaraya_watson(query, keys, values, bandwidth):
    distance = ((query.unsqueeze(1) - keys) ** 2).sum(-1)
    kernel = torch.exp(-distance / (2 * bandwidth**2))
    return kernel @ values / kernel.sum(-1)


@wrong("a little is added below the line: far away the answer is 0")
def nadaraya_watson(query, keys, values, bandwidth):
    distance = ((query.unsqueeze(1) - keys) ** 2).sum(-1)
    kernel = torch.exp(-distance / (2 * bandwidth**2))
    return kernel @ values / (kernel.sum(-1) + 1e-8)


@wrong("the length, not its square")
def nadaraya_watson(query, keys, values, bandwidth):
    distance = (query.unsqueeze(1) - keys).norm(dim=-1)
    return (-distance / (2 * bandwidth**2)).softmax(-1) @ values


@wrong("the mean over the coordinates, not the sum")
def nadaraya_watson(query, keys, values, bandwidth):
    distance = ((query.unsqueeze(1) - keys) ** 2).mean(-1)
    return (-distance / (2 * bandwidth**2)).softmax(-1) @ values


@wrong("softmax over the queries")
def nadaraya_watson(query, keys, values, bandwidth):
    distance = ((query.unsqueeze(1) - keys) ** 2).sum(-1)
    return (-distance / (2 * bandwidth**2)).softmax(0) @ values


@wrong("the sign: the farthest count most")
def nadaraya_watson(query, keys, values, bandwidth):
    distance = ((query.unsqueeze(1) - keys) ** 2).sum(-1)
    return (distance / (2 * bandwidth**2)).softmax(-1) @ values


@wrong("the first coordinate only")
def nadaraya_watson(query, keys, values, bandwidth):
    distance = (query[:, :1] - keys[:, 0]) ** 2
    return (-distance / (2 * bandwidth**2)).softmax(-1) @ values


@wrong("the dot product as the score: right only for keys of one length")
def nadaraya_watson(query, keys, values, bandwidth):
    return (query @ keys.T / bandwidth**2).softmax(-1) @ values


@wrong("multiplied by the bandwidth where it divides")
def nadaraya_watson(query, keys, values, bandwidth):
    distance = ((query.unsqueeze(1) - keys) ** 2).sum(-1)
    return (-distance * bandwidth**2 / 2).softmax(-1) @ values


@wrong("NaN becomes 0: far away the answer is none of the values")
def nadaraya_watson(query, keys, values, bandwidth):
    distance = ((query.unsqueeze(1) - keys) ** 2).sum(-1)
    kernel = torch.exp(-distance / (2 * bandwidth**2))
    return torch.nan_to_num(kernel @ values / kernel.sum(-1))


@wrong("the coordinates are added up before they are squared")
def nadaraya_watson(query, keys, values, bandwidth):
    distance = (query.unsqueeze(1) - keys).sum(-1) ** 2
    return (-distance / (2 * bandwidth**2)).softmax(-1) @ values


@wrong("the half is squared as well: −(d / 2h)²")
def nadaraya_watson(query, keys, values, bandwidth):
    distance = ((query.unsqueeze(1) - keys) ** 2).sum(-1)
    return (-distance / (2 * bandwidth) ** 2).softmax(-1) @ values


# Relabelled: the values are right, but no gradient comes back through plain numbers.
@wrong("no gradient comes back through plain numbers")
def nadaraya_watson(query, keys, values, bandwidth):
    answers = []
    for point in query:
        scores = [-0.5 * float(((point - key) / bandwidth).square().sum()) for key in keys]
        top = max(scores)
        kernels = [math.exp(score - top) for score in scores]
        answers.append(sum(k * float(v) for k, v in zip(kernels, values)) / sum(kernels))
    return torch.tensor(answers)


@right
def nadaraya_watson(query, keys, values, bandwidth):
    scaled = torch.cdist(query.double() / bandwidth, keys.double() / bandwidth)
    logs = -scaled.square() / 2
    weights = (logs - logs.logsumexp(dim=1, keepdim=True)).exp()
    return torch.einsum("ts,s->t", weights, values.double())


@right
def nadaraya_watson(query, keys, values, bandwidth):
    difference = query[:, None, :] - keys[None, :, :]
    squares = torch.einsum("tsd,tsd->ts", difference, difference) / bandwidth**2
    nearest = squares.min(dim=1, keepdim=True).values
    kernel = torch.exp(-(squares - nearest) / 2)
    return (kernel * values).sum(1) / kernel.sum(1)
