"""Answers to exercise ``weighted_sum``, as learners write them."""

import torch
from answering import right, wrong


@wrong("no weight has been used")
def weighted_sum(weights, values):
    context = values.mean(dim=1)
    return context.unsqueeze(1).repeat(1, weights.size(1), 1)


@wrong("plain sum of the values")
def weighted_sum(weights, values):
    B, T, S = weights.shape
    out = torch.zeros(B, T, values.shape[2])
    for t in range(T):
        for j in range(S):
            out[:, t] += values[:, j]
    return out


@wrong("divided by the number of values")
def weighted_sum(weights, values):
    return (weights.unsqueeze(-1) * values.unsqueeze(1)).mean(dim=2)


@wrong("softmax was taken once more")
def weighted_sum(weights, values):
    return torch.bmm(torch.softmax(weights, dim=2), values)


@wrong("Only the value with the largest weight")
def weighted_sum(weights, values):
    best = weights.argmax(dim=2)
    return torch.stack([values[b][best[b]] for b in range(len(values))])


@wrong("The weights are transposed")
def weighted_sum(weights, values):
    return weights.transpose(1, 2) @ values


@wrong("values of the first sentence are used for every sentence")
def weighted_sum(weights, values):
    return weights @ values[0]


@wrong("With all weight on value 0, which in sentence 1")
def weighted_sum(weights, values):
    contexts = weights @ values
    contexts = contexts.clone()
    contexts[1:] *= 1.5
    return contexts


@right
def weighted_sum(weights, values):
    return (weights.double().unsqueeze(-1) * values.unsqueeze(1)).sum(2)


@right
def weighted_sum(weights, values):
    rows = [[a @ v for a in ws] for ws, v in zip(weights, values)]
    return torch.stack([torch.stack(row) for row in rows])


@wrong("Are the weights divided by their sum?")
def weighted_sum(weights, values):
    return (weights / weights.sum(-1, keepdim=True)) @ values
