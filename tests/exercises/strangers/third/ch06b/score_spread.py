import math

import numpy as np
import torch
from answering import right, wrong


@wrong("padding is among the keys: the plain variance of a row")
def score_spread(query, keys, query_mask, key_mask):
    scores = query @ keys.transpose(1, 2)
    rows = scores.var(-1, unbiased=False)
    return rows[query_mask].mean().sqrt()


@wrong("padding queries are in the mean")
def score_spread(query, keys, query_mask, key_mask):
    scores = query @ keys.transpose(1, 2)
    m = key_mask.unsqueeze(1)
    n = m.sum(-1)
    mean = (scores * m).sum(-1) / n
    var = ((scores - mean.unsqueeze(-1)) ** 2 * m).sum(-1) / n
    return var.mean().sqrt()


@wrong("divided by one less than the number of keys")
def score_spread(query, keys, query_mask, key_mask):
    variances = []
    for b in range(len(query)):
        real = keys[b, key_mask[b]]
        for q in query[b, query_mask[b]]:
            variances.append((real @ q).var())
    return torch.stack(variances).mean().sqrt()


@wrong("the mean of the roots instead of the root of the mean")
def score_spread(query, keys, query_mask, key_mask):
    spreads = []
    for b in range(len(query)):
        real = keys[b, key_mask[b]]
        for q in query[b, query_mask[b]]:
            spreads.append((real @ q).std(unbiased=False))
    return torch.stack(spreads).mean()


@wrong("the root is forgotten: a variance")
def score_spread(query, keys, query_mask, key_mask):
    variances = []
    for b in range(len(query)):
        real = keys[b, key_mask[b]]
        for q in query[b, query_mask[b]]:
            variances.append((real @ q).var(unbiased=False))
    return torch.stack(variances).mean()


@wrong("first a mean for each sentence, then the mean of these: short sentences weigh too much")
def score_spread(query, keys, query_mask, key_mask):
    means = []
    for b in range(len(query)):
        real = keys[b, key_mask[b]]
        rows = query[b, query_mask[b]] @ real.T
        means.append(rows.var(-1, unbiased=False).mean())
    return torch.stack(means).mean().sqrt()


@wrong("one variance of all real scores together, about one common mean")
def score_spread(query, keys, query_mask, key_mask):
    scores = query @ keys.transpose(1, 2)
    both = query_mask.unsqueeze(2) & key_mask.unsqueeze(1)
    return scores[both].std(unbiased=False)


@wrong("mean square without taking off the row's mean")
def score_spread(query, keys, query_mask, key_mask):
    squares = []
    for b in range(len(query)):
        real = keys[b, key_mask[b]]
        for q in query[b, query_mask[b]]:
            squares.append((real @ q).pow(2).mean())
    return torch.stack(squares).mean().sqrt()


@wrong("padded scores are set to 0 and counted in the variance")
def score_spread(query, keys, query_mask, key_mask):
    scores = (query @ keys.transpose(1, 2)).masked_fill(~key_mask.unsqueeze(1), 0.0)
    return scores.var(-1, unbiased=False)[query_mask].mean().sqrt()


@wrong("the variance over the queries of each key")
def score_spread(query, keys, query_mask, key_mask):
    variances = []
    for b in range(len(query)):
        real = query[b, query_mask[b]]
        for k in keys[b, key_mask[b]]:
            variances.append((real @ k).var(unbiased=False))
    return torch.stack(variances).mean().sqrt()


@wrong("the number that √H is an estimate of, not measured: the root of the size")
def score_spread(query, keys, query_mask, key_mask):
    return torch.tensor(float(query.shape[-1])).sqrt()


@wrong("the rows' squared distances are summed, not divided by how many keys are real")
def score_spread(query, keys, query_mask, key_mask):
    sums = []
    for b in range(len(query)):
        real = keys[b, key_mask[b]]
        for q in query[b, query_mask[b]]:
            row = real @ q
            sums.append(((row - row.mean()) ** 2).sum())
    return torch.stack(sums).mean().sqrt()


@right
def score_spread(query, keys, query_mask, key_mask):
    scores = torch.einsum("bth,bsh->bts", query, keys)
    m = key_mask[:, None].to(scores.dtype)
    count = m.sum(-1, keepdim=True)
    centered = (scores - (scores * m).sum(-1, keepdim=True) / count) * m
    variance = centered.square().sum(-1, keepdim=True) / count
    return variance.squeeze(-1).masked_select(query_mask).mean().sqrt()


@right
def score_spread(query, keys, query_mask, key_mask):
    total, count = 0.0, 0
    for b in range(len(query)):
        known = keys[b][key_mask[b]].double().numpy()
        for t in range(query.shape[1]):
            if query_mask[b, t]:
                row = known @ query[b, t].double().numpy()
                total += float(np.var(row))
                count += 1
    return math.sqrt(total / count)
