"""Answers to exercise ``nucleus``, written from its statement alone."""

import math

import torch
from answering import right, wrong


@wrong("the token that reaches top_p is dropped")
def nucleus(probs, top_p):
    ranked, places = probs.sort(-1, descending=True)
    kept = ranked * (ranked.cumsum(-1) <= top_p)
    kept = torch.zeros_like(probs).scatter(-1, places, kept)
    return kept / kept.sum(-1, keepdim=True)


@wrong("not made a distribution again")
def nucleus(probs, top_p):
    ranked, places = probs.sort(-1, descending=True)
    kept = ranked * (ranked.cumsum(-1) - ranked < top_p)
    return torch.zeros_like(probs).scatter(-1, places, kept)


@wrong("the tokens stay sorted instead of going back to their places")
def nucleus(probs, top_p):
    ranked, places = probs.sort(-1, descending=True)
    kept = ranked * (ranked.cumsum(-1) - ranked < top_p)
    return kept / kept.sum(-1, keepdim=True)


@wrong("one token too many where top_p is reached exactly")
def nucleus(probs, top_p):
    ranked, places = probs.sort(-1, descending=True)
    kept = ranked * (ranked.cumsum(-1) - ranked <= top_p)
    kept = torch.zeros_like(probs).scatter(-1, places, kept)
    return kept / kept.sum(-1, keepdim=True)


@wrong("top_p is a threshold for a single token")
def nucleus(probs, top_p):
    kept = probs * (probs >= 1 - top_p)
    return kept / kept.sum(-1, keepdim=True)


@wrong("the least probable tokens first")
def nucleus(probs, top_p):
    ranked, places = probs.sort(-1)
    kept = ranked * (ranked.cumsum(-1) - ranked < top_p)
    kept = torch.zeros_like(probs).scatter(-1, places, kept)
    return kept / kept.sum(-1, keepdim=True)


@wrong("all tokens as probable as the last one kept are kept, too")
def nucleus(probs, top_p):
    ranked, places = probs.sort(-1, descending=True)
    n = (ranked.cumsum(-1) - ranked < top_p).sum(-1, keepdim=True)
    cutoff = ranked.gather(-1, n - 1)
    kept = torch.where(probs >= cutoff, probs, torch.zeros_like(probs))
    return kept / kept.sum(-1, keepdim=True)


@wrong("the rest is normalised by a softmax")
def nucleus(probs, top_p):
    ranked, places = probs.sort(-1, descending=True)
    out = ranked.cumsum(-1) - ranked >= top_p
    kept = ranked.masked_fill(out, -math.inf).softmax(-1)
    return torch.zeros_like(probs).scatter(-1, places, kept)


@wrong("every row keeps as many tokens as the first")
def nucleus(probs, top_p):
    ranked, places = probs.sort(-1, descending=True)
    n = int((ranked[0].cumsum(-1) - ranked[0] < top_p).sum())
    kept = torch.zeros_like(probs).scatter(-1, places[:, :n], ranked[:, :n])
    return kept / kept.sum(-1, keepdim=True)


@wrong("probs is changed in place")
def nucleus(probs, top_p):
    for row in probs:
        total = 0.0
        for i in row.argsort(descending=True):
            if total >= top_p:
                row[i] = 0
            else:
                total += float(row[i])
        row /= row.sum()
    return probs


@right
def nucleus(probs, top_p):
    result = torch.zeros_like(probs)
    for i, row in enumerate(probs):
        total = 0.0
        for j in row.argsort(descending=True):
            result[i, j] = row[j]
            total += row[j]
            if total >= top_p:
                break
        result[i] = result[i] / result[i].sum()
    return result


@right
def nucleus(probs, top_p):
    order = probs.argsort(dim=-1, descending=True)
    before = probs.gather(-1, order).cumsum(-1).roll(1, -1)
    before[:, 0] = 0
    keep = torch.zeros_like(probs, dtype=torch.bool).scatter(-1, order, before < top_p)
    kept = probs.masked_fill(~keep, 0)
    return kept / kept.sum(dim=-1, keepdim=True)
