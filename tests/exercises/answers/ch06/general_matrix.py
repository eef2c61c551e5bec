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


@wrong("which of the two is transposed")
def general_matrix(from_query, from_key):
    if from_key is None:
        return from_query.T
    if from_query is None:
        return from_key
    return torch.mm(from_query, from_key)


@wrong("Rᵀ P instead of Pᵀ R")
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


@wrong("the layers give the score")
def general_matrix(from_query, from_key):
    if from_key is None:
        return from_query.T
    if from_query is None:
        return from_key
    return 2 * from_query.T @ from_key


@wrong("its weight enters")
def general_matrix(from_query, from_key):
    if from_query is None or from_key is None:
        return from_key if from_query is None else from_query
    return from_query @ from_key.T


@wrong("A matrix of ones stands for the missing layer")
def general_matrix(from_query, from_key):
    if from_query is None:
        return torch.ones(len(from_key), len(from_key)) @ from_key
    if from_key is None:
        from_key = torch.ones(len(from_query), len(from_query))
    return from_query.T @ from_key


@wrong("that case needs an answer of its own")
def general_matrix(from_query, from_key):
    return from_query.T @ from_key


@wrong("The identity has the wrong size")
def general_matrix(from_query, from_key):
    a = torch.eye(from_key.shape[1]) if from_query is None else from_query
    b = torch.eye(from_query.shape[1]) if from_key is None else from_key
    return a.T @ b


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


@wrong("No gradient comes back")
def general_matrix(from_query, from_key):
    if from_query is None:
        return from_key.numpy()
    if from_key is None:
        return from_query.t().contiguous().numpy()
    return from_query.numpy().T @ from_key.numpy()


@wrong("asks whether a tensor is true")
def general_matrix(from_query, from_key):
    if not from_query:
        return from_key
    if not from_key:
        return from_query.T
    return from_query.T @ from_key


@wrong("asks whether a tensor is true")
def general_matrix(from_query, from_key):
    if not from_key:
        return from_query.T
    if not from_query:
        return from_key
    return from_query.T @ from_key


@wrong("asks whether a tensor is true")
def general_matrix(from_query, from_key):
    if from_query and from_key:
        return from_query.T @ from_key
    return from_query.T if from_query else from_key


@right
def general_matrix(from_query, from_key):
    if from_query is None:
        return from_key
    if from_key is None:
        return from_query.t().contiguous()
    return torch.tensordot(from_query, from_key, dims=([0], [0]))


@wrong("Where one layer is missing None comes back")
def general_matrix(from_query, from_key):
    if from_key is None:
        return from_key
    return from_key if from_query is None else from_query.T @ from_key


@wrong("divided by the root of a size")
def general_matrix(from_query, from_key):
    size = len(from_key) if from_query is None else len(from_query)
    asks = torch.eye(size) if from_query is None else from_query
    answers = torch.eye(size) if from_key is None else from_key
    return asks.T @ answers / size**0.5


@wrong("squeeze() without a number")
def general_matrix(from_query, from_key):
    if from_query is None:
        return from_key.squeeze()
    if from_key is None:
        return from_query.T.squeeze()
    return (from_query.T @ from_key).squeeze()
