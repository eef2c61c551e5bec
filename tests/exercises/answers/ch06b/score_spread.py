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


@wrong("All scores are thrown together")
def score_spread(query, keys, query_mask, key_mask):
    scores = query @ keys.transpose(1, 2)
    real = query_mask[:, :, None] & key_mask[:, None, :]
    return scores[real].std(unbiased=False)


@wrong("All scores are thrown together")
def score_spread(query, keys, query_mask, key_mask):
    scores = query @ keys.mT
    return scores[query_mask.unsqueeze(2) & key_mask.unsqueeze(1)].std()


@wrong("Keys that are padding count")
def score_spread(query, keys, query_mask, key_mask):
    scores = query @ keys.transpose(1, 2)
    return scores.var(-1, correction=0)[query_mask].mean().sqrt()


@wrong("Queries that are padding count")
def score_spread(query, keys, query_mask, key_mask):
    every = torch.ones_like(query_mask)
    variances = [row.var(unbiased=False) for row in rows(query, keys, every, key_mask)]
    return torch.stack(variances).mean() ** 0.5


@wrong("Padding counts, of queries and of keys")
def score_spread(query, keys, query_mask, key_mask):
    return (query @ keys.transpose(1, 2)).var(-1, unbiased=False).mean().sqrt()


@wrong("set to 0 and still counted")
def score_spread(query, keys, query_mask, key_mask):
    scores = (query @ keys.transpose(1, 2)).masked_fill(~key_mask[:, None], 0.0)
    return scores.var(-1, unbiased=False)[query_mask].mean().sqrt()


@wrong("which for a single key is 0 / 0")
def score_spread(query, keys, query_mask, key_mask):
    found = [row.var() for row in rows(query, keys, query_mask, key_mask)]
    return torch.stack(found).mean().sqrt()


@wrong("down the columns")
def score_spread(query, keys, query_mask, key_mask):
    found = rows(keys, query, key_mask, query_mask)
    return torch.stack([row.var(unbiased=False) for row in found]).mean().sqrt()


@wrong("Every real *query* counts")
def score_spread(query, keys, query_mask, key_mask):
    sentences = []
    for b in range(len(query)):
        scores = query[b][query_mask[b]] @ keys[b][key_mask[b]].T
        sentences.append(scores.var(-1, unbiased=False).mean())
    return torch.stack(sentences).mean().sqrt()


@wrong("rows with many keys count more")
def score_spread(query, keys, query_mask, key_mask):
    real = (query_mask[:, :, None] & key_mask[:, None, :]).float()
    scores = query @ keys.transpose(1, 2)
    number = key_mask.sum(-1).view(-1, 1, 1)
    mean = (scores * key_mask[:, None]).sum(-1, keepdim=True) / number
    return (((scores - mean) ** 2 * real).sum() / real.sum()).sqrt()


@wrong("Measure the scores that there are")
def score_spread(query, keys, query_mask, key_mask):
    return query.shape[-1] ** 0.5


@wrong("measure within the row")
def score_spread(query, keys, query_mask, key_mask):
    scores = query @ keys.transpose(1, 2)
    real = query_mask[:, :, None] & key_mask[:, None, :]
    return scores[real].abs().mean()


@wrong("The mean of a row runs over padding")
def score_spread(query, keys, query_mask, key_mask):
    scores = query @ keys.transpose(1, 2)
    apart = (scores - scores.mean(-1, keepdim=True)) ** 2 * key_mask[:, None]
    return (apart.sum(-1) / key_mask.sum(-1)[:, None])[query_mask].mean().sqrt()


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


@wrong("−∞ less −∞ is NaN")
def score_spread(query, keys, query_mask, key_mask):
    scores = query @ keys.transpose(1, 2)
    scores = scores.masked_fill(~key_mask[:, None], float("-inf"))
    return scores.var(-1, correction=0)[query_mask].mean().sqrt()


@wrong("rows have the variances [4, 1]")
def score_spread(query, keys, query_mask, key_mask):
    scores = query @ keys.transpose(1, 2)
    rows = [scores[b, t, key_mask[b]] for b, t in query_mask.nonzero().tolist()]
    return torch.stack([row.var(unbiased=False) for row in rows]).median().sqrt()
