"""Answers to exercise ``nucleus``, written from its statement alone."""

import torch
from answering import wrong


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
