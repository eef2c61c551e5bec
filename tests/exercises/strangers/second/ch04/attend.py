"""Answers to exercise ``attend``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the mask comes after the softmax and the weights are not normalised again")
def attend(query, keys, values, mask):
    weights = torch.softmax(query @ keys.transpose(1, 2), dim=-1)
    if mask is not None:
        weights = weights * mask.unsqueeze(1)
    return weights @ values, weights


@wrong("the softmax runs over the queries")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -1e9)
    weights = torch.softmax(scores, dim=1)
    return weights @ values, weights


@wrong("the mask is inverted")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    if mask is not None:
        scores = scores.masked_fill(mask.unsqueeze(1), -1e9)
    weights = torch.softmax(scores, dim=-1)
    return weights @ values, weights


@wrong("divided by the root of H, but the bare dot product was asked for")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2) / query.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
    weights = scores.softmax(-1)
    return weights @ values, weights


@wrong("scores of padding become 0 before the softmax, not minus infinity")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    if mask is not None:
        scores = scores * mask.unsqueeze(1)
    weights = scores.softmax(-1)
    return weights @ values, weights


@wrong("the context is taken from the keys")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
    weights = scores.softmax(-1)
    return weights @ keys, weights


@wrong("the mask of the first sentence is used for the whole batch")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    if mask is not None:
        scores = scores.masked_fill(~mask[0], -torch.inf)
    weights = scores.softmax(-1)
    return weights @ values, weights


@wrong("None is not thought of")
def attend(query, keys, values, mask):
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
    weights = scores.softmax(-1)
    return weights @ values, weights


# Written as right, and relabelled: the checks refused it, and they have a point. Only the largest
# score of the *real* entries is taken off, so that at padding e to a large score is infinite.
@wrong("the exponential of a large score at padding overflows, and infinity times 0 is no number")
def attend(query, keys, values, mask):
    contexts, weights = [], []
    for b in range(query.shape[0]):
        real = torch.ones(keys.shape[1], dtype=torch.bool) if mask is None else mask[b]
        rows = []
        for q in query[b]:
            score = keys[b] @ q
            e = torch.exp(score - score[real].max()) * real
            rows.append(e / e.sum())
        w = torch.stack(rows)
        weights.append(w)
        contexts.append(w @ values[b])
    return torch.stack(contexts), torch.stack(weights)


@right
def attend(query, keys, values, mask):
    scores = torch.einsum("bth,bsh->bts", query, keys)
    if mask is not None:
        scores = torch.where(mask[:, None, :], scores, torch.tensor(-1e30))
    weights = scores.softmax(2)
    return torch.einsum("bts,bsv->btv", weights, values), weights
