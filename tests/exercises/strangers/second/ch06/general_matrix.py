"""Answers to exercise ``general_matrix``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the transpose is forgotten where only the query has a layer")
def general_matrix(from_query, from_key):
    if from_key is None:
        return from_query
    if from_query is None:
        return from_key
    return from_query.T @ from_key


@wrong("A B^T instead of A^T B")
def general_matrix(from_query, from_key):
    if from_key is None:
        return from_query.T
    if from_query is None:
        return from_key
    return from_query @ from_key.T


@wrong("without a layer on one side the identity alone is returned")
def general_matrix(from_query, from_key):
    if from_query is None:
        return torch.eye(from_key.shape[1])
    if from_key is None:
        return torch.eye(from_query.shape[1])
    return from_query.T @ from_key


@wrong("the other layer is used twice where one is None")
def general_matrix(from_query, from_key):
    if from_query is None:
        from_query = from_key
    if from_key is None:
        from_key = from_query
    return from_query.T @ from_key


@right
def general_matrix(from_query, from_key):
    if from_query is None:
        from_query = torch.eye(from_key.shape[0])
    if from_key is None:
        from_key = torch.eye(from_query.shape[0])
    return torch.einsum("ad,ae->de", from_query, from_key)


@right
def general_matrix(from_query, from_key):
    if from_key is None:
        return from_query.t().clone()
    if from_query is None:
        return 1 * from_key
    A, Hd = from_query.shape
    He = from_key.shape[1]
    W = torch.zeros(Hd, He)
    for i in range(Hd):
        for j in range(He):
            W[i, j] = sum(from_query[a, i] * from_key[a, j] for a in range(A))
    return W
