"""Answers to exercise ``contribution_shares``, as learners write them."""

import torch
from answering import right, wrong


@wrong("These are the weights themselves")
def contribution_shares(weights, values):
    return weights / weights.sum(2, True)


@wrong("added with their signs")
def contribution_shares(weights, values):
    parts = (weights[..., None] * values[:, None]).sum(-1)
    return parts / parts.sum(-1, keepdim=True)


@wrong("over the queries")
def contribution_shares(weights, values):
    parts = weights * values.norm(dim=2)[:, None]
    return parts / parts.sum(1, keepdim=True)


@wrong("do not relate to each other as these do")
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
