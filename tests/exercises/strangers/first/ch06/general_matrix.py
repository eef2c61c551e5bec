"""Answers to exercise ``general_matrix``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the product the other way round: (He, Hd)")
def general_matrix(from_query, from_key):
    if from_query is None:
        return from_key.T
    if from_key is None:
        return from_query
    return from_key.T @ from_query


@wrong("the query's layer is not transposed")
def general_matrix(from_query, from_key):
    if from_query is None:
        return from_key
    if from_key is None:
        return from_query
    return from_query @ from_key.T


@wrong("without a layer on the key the query's weight is not transposed")
def general_matrix(from_query, from_key):
    if from_query is None:
        return from_key
    if from_key is None:
        return from_query
    return from_query.T @ from_key


@wrong("without a layer on the query the key's weight is transposed")
def general_matrix(from_query, from_key):
    if from_query is None:
        return from_key.T
    if from_key is None:
        return from_query.T
    return from_query.T @ from_key


@wrong("the identity in place of None has the size of the other layer's input, not its output")
def general_matrix(from_query, from_key):
    if from_query is None:
        from_query = torch.eye(from_key.shape[1])
    if from_key is None:
        from_key = torch.eye(from_query.shape[1])
    return from_query.T @ from_key


@wrong("only a missing layer on the key is handled")
def general_matrix(from_query, from_key):
    if from_key is None:
        return from_query.T
    return from_query.T @ from_key


@wrong("ones instead of the identity for a missing layer")
def general_matrix(from_query, from_key):
    if from_query is None:
        from_query = torch.ones(from_key.shape[0], from_key.shape[0])
    if from_key is None:
        from_key = torch.ones(from_query.shape[0], from_query.shape[0])
    return from_query.T @ from_key


@wrong("the layers are multiplied element by element")
def general_matrix(from_query, from_key):
    if from_query is None:
        return from_key
    if from_key is None:
        return from_query.T
    return from_query.T * from_key


@right
def general_matrix(from_query, from_key):
    if from_query is None:
        from_query = torch.eye(len(from_key))
    if from_key is None:
        from_key = torch.eye(len(from_query))
    return torch.einsum("ai,aj->ij", from_query, from_key)


@right
def general_matrix(from_query, from_key):
    if from_query is None:
        return from_key.clone()
    if from_key is None:
        return from_query.t().contiguous()
    result = torch.zeros(from_query.shape[1], from_key.shape[1])
    for a in range(from_query.shape[0]):
        result += torch.outer(from_query[a], from_key[a])
    return result
