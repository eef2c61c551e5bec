import torch
from answering import right, wrong


@wrong("the weights are transposed: a sum over the queries")
def weighted_sum(weights, values):
    return weights.transpose(1, 2) @ values


@wrong("a mean over j: divided by the number of positions")
def weighted_sum(weights, values):
    return weights @ values / values.shape[1]


@wrong("the first sentence's values for the whole batch")
def weighted_sum(weights, values):
    return weights @ values[0]


@wrong("a softmax over weights that are weights already")
def weighted_sum(weights, values):
    return weights.softmax(-1) @ values


@wrong("the value of the largest weight alone")
def weighted_sum(weights, values):
    best = weights.argmax(-1)
    return torch.stack([v[b] for v, b in zip(values, best)])


@wrong("one context a sentence: summed over the queries as well")
def weighted_sum(weights, values):
    return (weights @ values).sum(1)


@wrong("the sum over j is not taken: (B, T, S, H)")
def weighted_sum(weights, values):
    return weights.unsqueeze(-1) * values.unsqueeze(1)


@wrong("summed over the batch too, by an index that is missing in einsum")
def weighted_sum(weights, values):
    return torch.einsum("bts,csh->bth", weights, values)


@wrong("the last position is left out of the sum")
def weighted_sum(weights, values):
    return weights[:, :, :-1] @ values[:, :-1]


@wrong("each query gets the context of the one before: rolled by one step")
def weighted_sum(weights, values):
    return (weights @ values).roll(1, dims=1)


@right
def weighted_sum(weights, values):
    total = 0
    for j in range(values.shape[1]):
        total = total + weights[:, :, j, None] * values[:, None, j]
    return total


@right
def weighted_sum(weights, values):
    return torch.stack([torch.einsum("ts,sh->th", w, v) for w, v in zip(weights, values)])
