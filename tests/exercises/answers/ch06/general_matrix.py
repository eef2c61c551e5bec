"""Answers to exercise ``general_matrix``, as learners write them."""

import torch
from answering import right, wrong


@wrong("(P s)ᵀ = sᵀ Pᵀ: its weight enters")
def general_matrix(from_query, from_key):
    if from_key is None:
        return from_query
    if from_query is None:
        return from_key
    return from_query.t() @ from_key


@wrong("This is W_aᵀ: it has a row for each number of the key")
def general_matrix(from_query, from_key):
    if from_key is None:
        return from_query
    if from_query is None:
        return from_key.T
    return from_key.T @ from_query


@wrong("'Tensor' and 'NoneType'")
def general_matrix(from_query, from_key):
    return from_query.T @ from_key


@wrong("multiplied number by number")
def general_matrix(from_query, from_key):
    if from_query is None or from_key is None:
        return from_key if from_query is None else from_query.T
    return from_query.T * from_key


@right
def general_matrix(from_query, from_key):
    a = torch.eye(len(from_key)) if from_query is None else from_query
    b = torch.eye(len(a)) if from_key is None else from_key
    return torch.einsum("ai,aj->ij", a.double(), b.double())


@right
def general_matrix(from_query, from_key):
    if from_query is None:
        return from_key
    if from_key is None:
        return from_query.t().contiguous()
    return torch.tensordot(from_query, from_key, dims=([0], [0]))
