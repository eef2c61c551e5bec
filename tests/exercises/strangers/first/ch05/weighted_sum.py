"""Answers to exercise ``weighted_sum``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the plain mean of the values")
def weighted_sum(weights, values):
    return values.mean(1, keepdim=True).expand(-1, weights.shape[1], -1)


@wrong("a softmax over what are weights already")
def weighted_sum(weights, values):
    return weights.softmax(-1) @ values


@wrong("the value with the largest weight, alone")
def weighted_sum(weights, values):
    best = weights.argmax(-1)
    return values[torch.arange(len(values)).unsqueeze(1), best]


@wrong("the weighted mean: divided by S once more")
def weighted_sum(weights, values):
    return weights @ values / values.shape[1]


@wrong("sums over the queries: weights the wrong way round")
def weighted_sum(weights, values):
    size = min(weights.shape[1], values.shape[1])
    return torch.einsum("bst,bsh->bth", weights[:, :size], values[:, :size])


@wrong("the first sentence's values for all")
def weighted_sum(weights, values):
    return weights @ values[0]


@wrong("the first query for all")
def weighted_sum(weights, values):
    return (weights[:, :1] @ values).expand(-1, weights.shape[1], -1)


@wrong("not added up: (B, T, S, H)")
def weighted_sum(weights, values):
    return weights.unsqueeze(-1) * values.unsqueeze(1)


@wrong("the loop starts at word 1: the first value is left out")
def weighted_sum(weights, values):
    c = torch.zeros(*weights.shape[:2], values.shape[-1])
    for j in range(1, values.shape[1]):
        c = c + weights[:, :, j : j + 1] * values[:, j : j + 1]
    return c


@wrong("features first: (B, H, T)")
def weighted_sum(weights, values):
    return values.transpose(1, 2) @ weights.transpose(1, 2)


@wrong("the sum is overwritten at every word")
def weighted_sum(weights, values):
    for j in range(values.shape[1]):
        c = weights[:, :, j : j + 1] * values[:, j : j + 1]
    return c


@wrong("contexts of all steps so far are added up")
def weighted_sum(weights, values):
    return (weights @ values).cumsum(1)


@wrong("the batch is summed over, too")
def weighted_sum(weights, values):
    return torch.einsum("bts,csh->bth", weights, values)


@right
def weighted_sum(weights, values):
    return torch.einsum("bts,bsh->bth", weights, values)


@right
def weighted_sum(weights, values):
    B, T, S = weights.shape
    rows = []
    for b in range(B):
        for t in range(T):
            rows.append(sum(weights[b, t, j] * values[b, j] for j in range(S)))
    return torch.stack(rows).view(B, T, -1)


@right
def weighted_sum(weights, values):
    return (weights[..., None].double() * values[:, None]).sum(dim=2)
