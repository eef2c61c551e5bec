import torch
from answering import right, wrong


@wrong("the signed sum of the value's numbers instead of its length")
def contribution_shares(weights, values):
    lengths = weights * values.sum(-1).unsqueeze(1)
    return lengths / lengths.sum(-1, keepdim=True)


@wrong("divided by the length of the context, not by the sum of the lengths")
def contribution_shares(weights, values):
    context = weights @ values
    return weights * values.norm(dim=-1).unsqueeze(1) / context.norm(dim=-1, keepdim=True)


@wrong("shares over the queries: the sum over t")
def contribution_shares(weights, values):
    lengths = weights * values.norm(dim=-1).unsqueeze(1)
    return lengths / lengths.sum(1, keepdim=True)


@wrong("shares over the whole table of a sentence")
def contribution_shares(weights, values):
    lengths = weights * values.norm(dim=-1).unsqueeze(1)
    return lengths / lengths.sum((1, 2), keepdim=True)


@wrong("squared lengths")
def contribution_shares(weights, values):
    lengths = weights * (values**2).sum(-1).unsqueeze(1)
    return lengths / lengths.sum(-1, keepdim=True)


@wrong("a softmax over the lengths")
def contribution_shares(weights, values):
    return (weights * values.norm(dim=-1).unsqueeze(1)).softmax(-1)


@wrong("the weights are the answer: the values are not looked at")
def contribution_shares(weights, values):
    return weights / weights.sum(-1, keepdim=True)


@wrong("the norm along the positions instead of along the features")
def contribution_shares(weights, values):
    lengths = weights * values.norm(dim=1, keepdim=True).mean(-1, keepdim=True)
    return lengths / lengths.sum(-1, keepdim=True)


@wrong("the values of the first sentence for the whole batch")
def contribution_shares(weights, values):
    lengths = weights * values[0].norm(dim=-1)
    return lengths / lengths.sum(-1, keepdim=True)


@wrong("divided by the largest contribution of the row")
def contribution_shares(weights, values):
    lengths = weights * values.norm(dim=-1).unsqueeze(1)
    return lengths / lengths.amax(-1, keepdim=True)


@right
def contribution_shares(weights, values):
    parts = weights.unsqueeze(-1) * values.unsqueeze(1)
    lengths = parts.pow(2).sum(-1).sqrt()
    return lengths / lengths.sum(-1, keepdim=True)


@right
def contribution_shares(weights, values):
    result = torch.zeros_like(weights)
    B, T, S = weights.shape
    for b in range(B):
        size = torch.linalg.vector_norm(values[b], dim=1)
        for t in range(T):
            row = weights[b, t] * size
            result[b, t] = row / row.sum()
    return result
