"""Answers to exercise ``general_matrix``, as learners write them."""

import torch
from answering import wrong


@wrong("(A s)ᵀ = sᵀ Aᵀ: its weight enters")
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


@wrong("which of the two is transposed")
def general_matrix(from_query, from_key):
    if from_key is None:
        return from_query.T
    if from_query is None:
        return from_key
    return torch.mm(from_query, from_key)


@wrong("Bᵀ A instead of Aᵀ B")
def general_matrix(from_query, from_key):
    if from_key is None:
        return from_query.T
    if from_query is None:
        return from_key
    return (from_query.T @ from_key).T


@wrong("its weight is W_a as it is")
def general_matrix(from_query, from_key):
    if from_key is None:
        return from_query.T
    if from_query is None:
        return from_key.T
    return from_query.T @ from_key


@wrong("For one query and one key the layers give")
def general_matrix(from_query, from_key):
    if from_key is None:
        return from_query.T
    if from_query is None:
        return from_key
    return 2 * from_query.T @ from_key
