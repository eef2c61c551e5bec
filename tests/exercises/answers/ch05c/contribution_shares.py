"""Answers to exercise ``contribution_shares``, as learners write them."""

import torch
from answering import right, wrong


@wrong("These are the weights themselves")
def contribution_shares(weights, values):
    return weights / weights.sum(2, True)


@wrong("are not divided by their sum")
def contribution_shares(weights, values):
    return (weights[..., None] * values[:, None]).norm(dim=-1)


@wrong("The weights make no difference")
def contribution_shares(weights, values):
    length = values.norm(dim=2)
    share = length / length.sum(1, keepdim=True)
    return share[:, None].repeat(1, weights.shape[1], 1)


@wrong("the root is missing")
def contribution_shares(weights, values):
    parts = (weights[..., None] * values[:, None]).pow(2).sum(-1)
    return parts / parts.sum(-1, keepdim=True)


@wrong("added with their signs")
def contribution_shares(weights, values):
    parts = (weights[..., None] * values[:, None]).sum(-1)
    return parts / parts.sum(-1, keepdim=True)


@wrong("The absolute entries are added")
def contribution_shares(weights, values):
    parts = (weights[..., None] * values[:, None]).norm(p=1, dim=-1)
    return parts / parts.sum(-1, keepdim=True)


@wrong("over the queries")
def contribution_shares(weights, values):
    parts = weights * values.norm(dim=2)[:, None]
    return parts / parts.sum(1, keepdim=True)


@wrong("A softmax is taken of the lengths")
def contribution_shares(weights, values):
    parts = weights * values.norm(dim=2)[:, None]
    return parts.softmax(-1)


@wrong("The weights are squared")
def contribution_shares(weights, values):
    parts = weights.pow(2) * values.norm(dim=2)[:, None]
    return parts / parts.sum(2, keepdim=True)


@wrong("The lengths of the values are squared")
def contribution_shares(weights, values):
    parts = weights * (values * values).sum(2)[:, None]
    return parts / parts.sum(2, keepdim=True)


@wrong("one sum for all queries")
def contribution_shares(weights, values):
    parts = weights * values.norm(dim=2)[:, None]
    return torch.stack([part / part.sum() for part in parts])


@wrong("given the first one's values")
def contribution_shares(weights, values):
    parts = weights * values[0].norm(dim=1)
    return parts / parts.sum(2, keepdim=True)


@wrong("divided by the largest")
def contribution_shares(weights, values):
    parts = weights * values.norm(dim=2)[:, None]
    return parts / parts.max(2, keepdim=True).values


@wrong("your shares are [0.506, 0.494], and do not relate to each other as these do")
def contribution_shares(weights, values):
    parts = weights * values.norm(dim=2)[:, None].pow(2 / 3)
    return parts / parts.sum(2, keepdim=True)


@wrong("The shares of query 0 in sentence 0 sum to 0.50")
def contribution_shares(weights, values):
    parts = weights * values.norm(dim=2)[:, None]
    return parts / parts.sum(2, keepdim=True) / 2


@wrong("Your share for it is 0.50")
def contribution_shares(weights, values):
    return (0 * weights + 1) / weights.shape[2]


@right
def contribution_shares(weights, values):
    parts = weights[..., None].double() * values[:, None].double()
    return torch.nn.functional.normalize(torch.linalg.vector_norm(parts, dim=-1), p=1, dim=-1)


@right
def contribution_shares(weights, values):
    lengths = weights.numpy() * ((values.numpy() ** 2).sum(2) ** 0.5)[:, None]
    return lengths / lengths.sum(2, keepdims=True)
