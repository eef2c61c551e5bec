"""Answers to exercise ``normalized_gradient``, as learners write them."""

import torch
from answering import right, wrong


@wrong("that factor is missing")
def normalized_gradient(query, key):
    u = torch.nn.functional.layer_norm(query, query.shape[-1:], eps=0)
    v = torch.nn.functional.layer_norm(key, key.shape[-1:], eps=0)
    sigma = query.std(-1, correction=0, keepdim=True)
    return (v - u * (u * v).mean(-1, keepdim=True)) / sigma


@wrong("correction=0")
def normalized_gradient(query, key):
    H = query.shape[-1]
    u = (query - query.mean(-1, keepdim=True)) / query.std(-1, keepdim=True)
    v = (key - key.mean(-1, keepdim=True)) / key.std(-1, keepdim=True)
    along = (u * v).sum(-1, keepdim=True) / (H - 1)
    return (v - along * u) / query.std(-1, keepdim=True) / H**0.5


@wrong("You took the sum")
def normalized_gradient(query, key):
    H = query.shape[-1]
    sigma = query.std(-1, correction=0, keepdim=True)
    u = (query - query.mean(-1, keepdim=True)) / sigma
    v = (key - key.mean(-1, keepdim=True)) / key.std(-1, correction=0, keepdim=True)
    return (v - torch.einsum("...h,...h->...", u, v).unsqueeze(-1) * u) / (sigma * H**0.5)


@wrong("The gradient sums to")
def normalized_gradient(query, key):
    length = query.norm(dim=-1, keepdim=True)
    u, v = query / length, key / key.norm(dim=-1, keepdim=True)
    along = (u * v).sum(-1, keepdim=True)
    return query.shape[-1] ** 0.5 * (v - along * u) / length


@wrong("Raise number 0 of the query")
def normalized_gradient(query, key):
    u = torch.nn.functional.layer_norm(query, query.shape[-1:], eps=0)
    v = torch.nn.functional.layer_norm(key, key.shape[-1:], eps=0)
    sigma = query.var(-1, correction=0, keepdim=True)
    return (v - u * (u * v).mean(-1, keepdim=True)) / sigma / query.shape[-1] ** 0.5


@right
def normalized_gradient(query, key):
    H = query.shape[-1]
    q, k = query.double(), key.double()
    a, b = q - q.mean(-1, keepdim=True), k - k.mean(-1, keepdim=True)
    na, nb = a.norm(dim=-1, keepdim=True), b.norm(dim=-1, keepdim=True)
    cos = (a * b).sum(-1, keepdim=True) / (na * nb)
    return H**0.5 * (b / nb - cos * a / na) / na


@right
def normalized_gradient(query, key):
    H = query.shape[-1]
    q, k = query.double(), key.double()
    u = (q - q.mean(-1, keepdim=True)) / q.std(-1, correction=0, keepdim=True)
    v = (k - k.mean(-1, keepdim=True)) / k.std(-1, correction=0, keepdim=True)
    sigma = q.std(-1, correction=0)[..., None, None]
    jacobian = torch.eye(H, dtype=q.dtype) - 1 / H - u[..., :, None] * u[..., None, :] / H
    return ((jacobian / sigma) @ v[..., None]).squeeze(-1) / H**0.5
