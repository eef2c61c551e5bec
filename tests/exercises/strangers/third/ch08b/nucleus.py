import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("the token that reaches top_p is left out")
def nucleus(probs, top_p):
    p, places = probs.sort(-1, descending=True)
    before = p.cumsum(-1)
    kept = p.masked_fill(before >= top_p, 0.0)
    result = torch.zeros_like(probs).scatter(-1, places, kept)
    return result / result.sum(-1, keepdim=True)


@wrong("one token too many where top_p is reached exactly")
def nucleus(probs, top_p):
    p, places = probs.sort(-1, descending=True)
    before = p.cumsum(-1) - p
    kept = p.masked_fill(before > top_p, 0.0)
    result = torch.zeros_like(probs).scatter(-1, places, kept)
    return result / result.sum(-1, keepdim=True)


@wrong("the rest is not divided anew")
def nucleus(probs, top_p):
    p, places = probs.sort(-1, descending=True)
    before = p.cumsum(-1) - p
    kept = p.masked_fill(before >= top_p, 0.0)
    result = torch.zeros_like(probs).scatter(-1, places, kept)
    return result


@wrong("tokens come back in the order of their probability, not in their places")
def nucleus(probs, top_p):
    p, places = probs.sort(-1, descending=True)
    before = p.cumsum(-1) - p
    kept = p.masked_fill(before >= top_p, 0.0)
    result = kept
    return result / result.sum(-1, keepdim=True)


@wrong("sorted upward: the improbable ones are kept")
def nucleus(probs, top_p):
    p, places = probs.sort(-1)
    before = p.cumsum(-1) - p
    kept = p.masked_fill(before >= top_p, 0.0)
    result = torch.zeros_like(probs).scatter(-1, places, kept)
    return result / result.sum(-1, keepdim=True)


@wrong("every token above top_p by itself is kept")
def nucleus(probs, top_p):
    p, places = probs.sort(-1, descending=True)
    before = p.cumsum(-1) - p
    kept = p.masked_fill(p < top_p, 0.0)
    result = torch.zeros_like(probs).scatter(-1, places, kept)
    return result / result.sum(-1, keepdim=True)


@wrong("summed down the rows: over the distributions")
def nucleus(probs, top_p):
    p, places = probs.sort(-1, descending=True)
    before = p.cumsum(0) - p
    kept = p.masked_fill(before >= top_p, 0.0)
    result = torch.zeros_like(probs).scatter(-1, places, kept)
    return result / result.sum(-1, keepdim=True)


@wrong("divided by the sum of the whole table")
def nucleus(probs, top_p):
    p, places = probs.sort(-1, descending=True)
    before = p.cumsum(-1) - p
    kept = p.masked_fill(before >= top_p, 0.0)
    result = torch.zeros_like(probs).scatter(-1, places, kept)
    return result / result.sum()


@wrong("a softmax in place of the division: forbidden tokens get probability again")
def nucleus(probs, top_p):
    p, places = probs.sort(-1, descending=True)
    before = p.cumsum(-1) - p
    kept = p.masked_fill(before >= top_p, 0.0)
    result = torch.zeros_like(probs).scatter(-1, places, kept)
    return result.softmax(-1)


@wrong("gather where scatter is meant: the places are permuted once more")
def nucleus(probs, top_p):
    p, places = probs.sort(-1, descending=True)
    before = p.cumsum(-1) - p
    kept = p.masked_fill(before >= top_p, 0.0)
    result = kept.gather(-1, places)
    return result / result.sum(-1, keepdim=True)


@wrong("divided by top_p, not by what was kept")
def nucleus(probs, top_p):
    p, places = probs.sort(-1, descending=True)
    before = p.cumsum(-1) - p
    kept = p.masked_fill(before >= top_p, 0.0)
    result = torch.zeros_like(probs).scatter(-1, places, kept)
    return result / top_p


@wrong("the first row decides for all how many are kept")
def nucleus(probs, top_p):
    p, places = probs.sort(-1, descending=True)
    before = p.cumsum(-1) - p
    kept = p.masked_fill((before >= top_p)[0].expand_as(p), 0.0)
    result = torch.zeros_like(probs).scatter(-1, places, kept)
    return result / result.sum(-1, keepdim=True)


@wrong("writes zeros into the table that was given")
def nucleus(probs, top_p):
    before_all = probs
    p, places = probs.sort(-1, descending=True)
    before = p.cumsum(-1) - p
    kept = p.masked_fill(before >= top_p, 0.0)
    result = before_all.scatter_(-1, places, kept)
    return result / result.sum(-1, keepdim=True)


@right
def nucleus(probs, top_p):
    result = torch.zeros_like(probs)
    for n, row in enumerate(probs):
        reached = 0.0
        for token in row.argsort(descending=True).tolist():
            result[n, token] = row[token]
            reached += float(row[token])
            if reached >= top_p:
                break
        result[n] /= result[n].sum()
    return result


@right
def nucleus(probs, top_p):
    p, places = torch.sort(probs, dim=1, descending=True)
    sums = p.cumsum(1)
    count = 1 + (sums[:, :-1] < top_p).sum(1, keepdim=True)
    rank = places.argsort(1)
    kept = torch.where(rank < count, probs, torch.zeros(()))
    return F.normalize(kept, p=1, dim=1)
