import torch
from answering import right, wrong


@wrong("the transpose is on the key's weight: P Rᵀ")
def general_matrix(from_query, from_key):
    if from_query is None:
        return from_key
    if from_key is None:
        return from_query.T
    return from_query @ from_key.T


@wrong("no layer means a zero matrix")
def general_matrix(from_query, from_key):
    if from_query is None:
        return torch.zeros_like(from_key)
    if from_key is None:
        return torch.zeros_like(from_query.T)
    return from_query.T @ from_key


@wrong("no layer means all ones in place of the identity")
def general_matrix(from_query, from_key):
    if from_query is None:
        from_query = torch.ones(len(from_key), len(from_key))
    if from_key is None:
        from_key = torch.ones(len(from_query), len(from_query))
    return from_query.T @ from_key


@wrong("scaled by the root of A")
def general_matrix(from_query, from_key):
    A = len(from_key) if from_query is None else len(from_query)
    P = torch.eye(A) if from_query is None else from_query
    R = torch.eye(A) if from_key is None else from_key
    return P.T @ R / A**0.5


@wrong("the tests for None are swapped")
def general_matrix(from_query, from_key):
    if from_key is None:
        return from_key
    if from_query is None:
        return from_query
    return from_query.T @ from_key


@right
def general_matrix(from_query, from_key):
    A = len(from_key if from_query is None else from_query)
    P = torch.eye(A) if from_query is None else from_query
    R = torch.eye(A) if from_key is None else from_key
    return torch.einsum("ad,ae->de", P, R)


@right
def general_matrix(from_query, from_key):
    if from_query is None or from_key is None:
        return from_key.clone() if from_query is None else from_query.t().clone()
    return sum(torch.outer(p, r) for p, r in zip(from_query, from_key))
