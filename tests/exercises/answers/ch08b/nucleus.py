"""Answers to exercise ``nucleus``, as learners write them."""

import math

import torch
from answering import right, wrong


@wrong("not divided by its sum")
def nucleus(probs, top_p):
    p, i = probs.sort(-1, descending=True)
    p = torch.where(p.cumsum(-1) - p < top_p, p, 0.0)
    return torch.zeros_like(probs).scatter(-1, i, p)


@wrong("crosses the line")
def nucleus(probs, top_p):
    p, i = probs.sort(-1, descending=True)
    p = torch.where(p.cumsum(-1) <= top_p, p, 0.0)
    p = torch.zeros_like(probs).scatter(-1, i, p)
    return p / p.sum(-1, keepdim=True)


@wrong("in the order of the vocabulary")
def nucleus(probs, top_p):
    p = torch.where(probs.cumsum(-1) - probs < top_p, probs, 0.0)
    return p / p.sum(-1, keepdim=True)


@wrong("from the least probable token upwards")
def nucleus(probs, top_p):
    p, i = probs.sort(-1)
    p = torch.where(p.cumsum(-1) - p < top_p, p, 0.0)
    p = torch.zeros_like(probs).scatter(-1, i, p)
    return p / p.sum(-1, keepdim=True)


@wrong("own probability is at least")
def nucleus(probs, top_p):
    p = torch.where(probs >= 1 - top_p, probs, 0.0)
    return p / p.sum(-1, keepdim=True)


@wrong("The result is sorted")
def nucleus(probs, top_p):
    p = probs.sort(-1, descending=True).values
    p = torch.where(p.cumsum(-1) - p < top_p, p, 0.0)
    return p / p.sum(-1, keepdim=True)


@wrong("reaches top_p exactly")
def nucleus(probs, top_p):
    ranked, places = probs.sort(-1, descending=True)
    kept = ranked * (ranked.cumsum(-1) - ranked <= top_p)
    kept = torch.zeros_like(probs).scatter(-1, places, kept)
    return kept / kept.sum(-1, keepdim=True)


@wrong("it keeps 4")
def nucleus(probs, top_p):
    ranked, places = probs.sort(-1, descending=True)
    n = (ranked.cumsum(-1) - ranked < top_p).sum(-1, keepdim=True)
    cutoff = ranked.gather(-1, n - 1)
    kept = torch.where(probs >= cutoff, probs, torch.zeros_like(probs))
    return kept / kept.sum(-1, keepdim=True)


@wrong("goes through a softmax")
def nucleus(probs, top_p):
    ranked, places = probs.sort(-1, descending=True)
    out = ranked.cumsum(-1) - ranked >= top_p
    kept = ranked.masked_fill(out, -math.inf).softmax(-1)
    return torch.zeros_like(probs).scatter(-1, places, kept)


@wrong("as many tokens as the first")
def nucleus(probs, top_p):
    ranked, places = probs.sort(-1, descending=True)
    n = int((ranked[0].cumsum(-1) - ranked[0] < top_p).sum())
    kept = torch.zeros_like(probs).scatter(-1, places[:, :n], ranked[:, :n])
    return kept / kept.sum(-1, keepdim=True)


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


@right
def nucleus(probs, top_p):
    result = torch.zeros_like(probs, dtype=torch.float64)
    for i, row in enumerate(probs.double()):
        for n in range(1, len(row) + 1):
            values, places = row.topk(n)
            if values.sum() >= top_p - 1e-12 or n == len(row):
                break
        result[i, places] = values / values.sum()
    return result


@right  # of equal tokens it keeps the last ones
def nucleus(probs, top_p):
    ranked, places = (x.flip(-1) for x in probs.sort(stable=True, dim=-1))
    kept = torch.where(ranked.cumsum(-1) - ranked < top_p, ranked, 0.0)
    kept = torch.zeros_like(probs).scatter(-1, places, kept)
    return kept / kept.sum(-1, keepdim=True)


@wrong("Of a row nothing is kept")
def nucleus(probs, top_p):
    ranked, places = probs.sort(-1, descending=True)
    kept = ranked * (ranked.cumsum(-1) < top_p)
    kept = torch.zeros_like(probs).scatter(-1, places, kept)
    return kept / kept.sum(-1, keepdim=True).clamp(min=1e-9)
