"""Answers to exercise ``score_spread``, as learners write them."""

import torch
from answering import right, wrong


def rows(query, keys, query_mask, key_mask):
    scores = torch.einsum("bth,bsh->bts", query, keys)
    return [scores[b, t][key_mask[b]] for b, t in query_mask.nonzero().tolist()]


@wrong("take the root at the end")
def score_spread(query, keys, query_mask, key_mask):
    variances = [row.var(unbiased=False) for row in rows(query, keys, query_mask, key_mask)]
    return sum(variances) / len(variances)


@wrong("First the mean of the variances")
def score_spread(query, keys, query_mask, key_mask):
    found = [row.std(unbiased=False) for row in rows(query, keys, query_mask, key_mask)]
    return torch.stack(found).mean()


@wrong("its root 1.581; 2.16 is returned")
def score_spread(query, keys, query_mask, key_mask):
    scores = query @ keys.mT
    return scores[query_mask.unsqueeze(2) & key_mask.unsqueeze(1)].std()


@wrong("about the row's own mean")
def score_spread(query, keys, query_mask, key_mask):
    scores = (query @ keys.transpose(1, 2)).masked_fill(~key_mask[:, None], 0.0)
    return scores.var(-1, unbiased=False)[query_mask].mean().sqrt()


@right
def score_spread(query, keys, query_mask, key_mask):
    total, count = 0.0, 0
    for b in range(len(query)):
        for t in range(query.shape[1]):
            if query_mask[b, t]:
                row = [float(query[b, t] @ key) for key, real in zip(keys[b], key_mask[b]) if real]
                mean = sum(row) / len(row)
                total += sum((e - mean) ** 2 for e in row) / len(row)
                count += 1
    return (total / count) ** 0.5


@right
def score_spread(query, keys, query_mask, key_mask):
    real = key_mask[:, None].to(query.dtype)
    scores = query @ keys.transpose(1, 2)
    n = real.sum(-1)
    mean, square = (scores * real).sum(-1) / n, (scores**2 * real).sum(-1) / n
    return (square - mean**2)[query_mask].mean().clamp(min=0).sqrt()
