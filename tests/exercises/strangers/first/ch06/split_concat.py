"""Answers to exercise ``split_concat``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("rows are cut instead of columns")
def split_concat(weight, query_size):
    return weight[:query_size], weight[query_size:]


@wrong("halves, whatever the size of the query")
def split_concat(weight, query_size):
    half = weight.shape[1] // 2
    return weight[:, :half], weight[:, half:]


@wrong("the parts in the wrong order")
def split_concat(weight, query_size):
    return weight[:, query_size:], weight[:, :query_size]


@wrong("the query is thought to stand last")
def split_concat(weight, query_size):
    return weight[:, -query_size:], weight[:, :-query_size]


@wrong("both parts are transposed")
def split_concat(weight, query_size):
    return weight[:, :query_size].T, weight[:, query_size:].T


@wrong("one column is lost between the parts")
def split_concat(weight, query_size):
    return weight[:, :query_size], weight[:, query_size + 1 :]


@wrong("cut into pieces of the query size; what is left over is lost")
def split_concat(weight, query_size):
    parts = weight.split(query_size, dim=1)
    return parts[0], parts[1]


@wrong("one column is in both parts")
def split_concat(weight, query_size):
    return weight[:, : query_size + 1], weight[:, query_size:]


@right
def split_concat(weight, query_size):
    return torch.split(weight, [query_size, weight.shape[1] - query_size], dim=1)


@right
def split_concat(weight, query_size):
    first = torch.stack([row[:query_size] for row in weight])
    second = torch.stack([row[query_size:] for row in weight])
    return [first, second]
