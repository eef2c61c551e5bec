"""Answers to exercise ``general_matrix``, as learners write them."""

from answering import wrong


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
