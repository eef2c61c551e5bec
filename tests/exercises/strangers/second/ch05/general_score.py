"""Answers to exercise ``general_score``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the matrix is transposed (runs when both sizes are equal)")
def general_score(query, keys, weight):
    return query @ weight.T @ keys.transpose(1, 2)


@wrong("the result is (B, S, T)")
def general_score(query, keys, weight):
    return keys @ weight.T @ query.transpose(1, 2)


@wrong("scaled by the root of the size")
def general_score(query, keys, weight):
    return query @ weight @ keys.transpose(1, 2) / keys.shape[-1] ** 0.5


@wrong("the softmax is already taken")
def general_score(query, keys, weight):
    return torch.softmax(query @ weight @ keys.transpose(1, 2), dim=-1)


@wrong("works for the first sentence only: its keys serve all of the batch")
def general_score(query, keys, weight):
    return query @ weight @ keys[0].T


@wrong("the matrix is left out where the sizes happen to agree")
def general_score(query, keys, weight):
    if query.shape[-1] == keys.shape[-1]:
        return query @ keys.transpose(1, 2)
    return query @ weight @ keys.transpose(1, 2)


@wrong("reshape instead of transpose")
def general_score(query, keys, weight):
    B, S, He = keys.shape
    return query @ weight @ keys.reshape(B, He, S)


@right
def general_score(query, keys, weight):
    projected = torch.nn.functional.linear(keys, weight)
    return torch.bmm(query, projected.permute(0, 2, 1))


@right
def general_score(query, keys, weight):
    B, T, _ = query.shape
    S = keys.shape[1]
    scores = torch.zeros(B, T, S)
    for b in range(B):
        for t in range(T):
            for s in range(S):
                scores[b, t, s] = query[b, t] @ weight @ keys[b, s]
    return scores
