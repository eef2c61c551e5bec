"""Answers to exercise ``nucleus``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the token that reaches top_p is dropped")
def nucleus(probs, top_p):
    ranked, places = probs.sort(-1, descending=True)
    keep = ranked.cumsum(-1) <= top_p
    keep[:, 0] = True
    kept = torch.zeros_like(probs).scatter(-1, places, ranked * keep)
    return kept / kept.sum(-1, keepdim=True)


@wrong("not made a distribution again")
def nucleus(probs, top_p):
    ranked, places = probs.sort(-1, descending=True)
    keep = ranked.cumsum(-1) - ranked < top_p
    return torch.zeros_like(probs).scatter(-1, places, ranked * keep)


@wrong("the tokens stay in sorted order")
def nucleus(probs, top_p):
    ranked, _ = probs.sort(-1, descending=True)
    kept = ranked * (ranked.cumsum(-1) - ranked < top_p)
    return kept / kept.sum(-1, keepdim=True)


@wrong("keeps the least probable tokens: sorted ascending")
def nucleus(probs, top_p):
    ranked, places = probs.sort(-1)
    kept = torch.zeros_like(probs).scatter(
        -1, places, ranked * (ranked.cumsum(-1) - ranked < top_p)
    )
    return kept / kept.sum(-1, keepdim=True)


@wrong("a threshold on each token: those that are likelier than 1 - top_p")
def nucleus(probs, top_p):
    kept = probs * (probs >= 1 - top_p)
    kept = torch.where(kept.sum(-1, keepdim=True) > 0, kept, probs)
    return kept / kept.sum(-1, keepdim=True)


@wrong("one token more once top_p is exactly reached (<= instead of <)")
def nucleus(probs, top_p):
    ranked, places = probs.sort(-1, descending=True)
    keep = ranked.cumsum(-1) - ranked <= top_p
    kept = torch.zeros_like(probs).scatter(-1, places, ranked * keep)
    return kept / kept.sum(-1, keepdim=True)


@wrong("normalised with a softmax: the zeros get weight again")
def nucleus(probs, top_p):
    ranked, places = probs.sort(-1, descending=True)
    keep = ranked.cumsum(-1) - ranked < top_p
    kept = torch.zeros_like(probs).scatter(-1, places, ranked * keep)
    return kept.softmax(-1)


@wrong("the number kept is that of the first row, for all rows")
def nucleus(probs, top_p):
    ranked, places = probs.sort(-1, descending=True)
    k = int((ranked[0].cumsum(0) - ranked[0] < top_p).sum())
    ranked[:, k:] = 0
    kept = torch.zeros_like(probs).scatter(-1, places, ranked)
    return kept / kept.sum(-1, keepdim=True)


@right
def nucleus(probs, top_p):
    out = torch.zeros_like(probs)
    for n, row in enumerate(probs):
        total = 0.0
        for v in row.argsort(descending=True).tolist():
            out[n, v] = row[v]
            total = total + row[v]
            if total >= top_p:
                break
        out[n] /= out[n].sum()
    return out


@right
def nucleus(probs, top_p):
    order = probs.argsort(dim=-1, descending=True)
    ranked = probs.gather(-1, order)
    before = torch.cat([torch.zeros(len(probs), 1), ranked.cumsum(-1)[:, :-1]], dim=-1)
    keep = before < top_p
    back = order.argsort(-1)
    kept = probs.masked_fill(~keep.gather(-1, back), 0)
    return torch.nn.functional.normalize(kept, p=1, dim=-1)
