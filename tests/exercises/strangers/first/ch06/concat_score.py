"""Answers to exercise ``concat_score``, written from its statement alone."""

import torch
from answering import right, wrong


@wrong("the keys stand before the query")
def concat_score(query, keys, weight, v):
    S, T = keys.shape[1], query.shape[1]
    q = query.unsqueeze(2).expand(-1, -1, S, -1)
    k = keys.unsqueeze(1).expand(-1, T, -1, -1)
    return torch.tanh(torch.cat([k, q], dim=-1) @ weight.T) @ v


@wrong("no tanh")
def concat_score(query, keys, weight, v):
    S, T = keys.shape[1], query.shape[1]
    q = query.unsqueeze(2).expand(-1, -1, S, -1)
    k = keys.unsqueeze(1).expand(-1, T, -1, -1)
    return torch.cat([q, k], dim=-1) @ weight.T @ v


@wrong("tanh of the score, not of the hidden layer")
def concat_score(query, keys, weight, v):
    S, T = keys.shape[1], query.shape[1]
    q = query.unsqueeze(2).expand(-1, -1, S, -1)
    k = keys.unsqueeze(1).expand(-1, T, -1, -1)
    return torch.tanh(torch.cat([q, k], dim=-1) @ weight.T @ v)


@wrong("repeat where repeat_interleave was meant: queries and keys are paired wrongly")
def concat_score(query, keys, weight, v):
    B, T, Hd = query.shape
    S = keys.shape[1]
    q = query.repeat(1, S, 1)
    k = keys.repeat(1, T, 1)
    pairs = torch.cat([q, k], dim=-1)
    return (torch.tanh(pairs @ weight.T) @ v).view(B, T, S)


@wrong("only the first query is compared with the keys")
def concat_score(query, keys, weight, v):
    T, S = query.shape[1], keys.shape[1]
    q = query[:, :1].expand(-1, S, -1)
    score = torch.tanh(torch.cat([q, keys], dim=-1) @ weight.T) @ v
    return score.unsqueeze(1).expand(-1, T, -1)


@wrong("the result is (B, S, T)")
def concat_score(query, keys, weight, v):
    S, T = keys.shape[1], query.shape[1]
    q = query.unsqueeze(1).expand(-1, S, -1, -1)
    k = keys.unsqueeze(2).expand(-1, -1, T, -1)
    return torch.tanh(torch.cat([q, k], dim=-1) @ weight.T) @ v


@wrong("the weight is cut into halves: works only where query and key have one size")
def concat_score(query, keys, weight, v):
    first, second = weight.chunk(2, dim=1)
    a = (query @ first.T).unsqueeze(2)
    b = (keys @ second.T).unsqueeze(1)
    return torch.tanh(a + b) @ v


@wrong("v is left out; the hidden layer is summed")
def concat_score(query, keys, weight, v):
    S, T = keys.shape[1], query.shape[1]
    q = query.unsqueeze(2).expand(-1, -1, S, -1)
    k = keys.unsqueeze(1).expand(-1, T, -1, -1)
    return torch.tanh(torch.cat([q, k], dim=-1) @ weight.T).sum(-1)


@wrong("weights come back instead of scores: a softmax too many")
def concat_score(query, keys, weight, v):
    n = query.shape[-1]
    hidden = (query @ weight[:, :n].T).unsqueeze(2) + (keys @ weight[:, n:].T).unsqueeze(1)
    return (torch.tanh(hidden) @ v).softmax(-1)


@right
def concat_score(query, keys, weight, v):
    n = query.shape[-1]
    from_query = torch.einsum("ah,bth->bta", weight[:, :n], query)
    from_key = torch.einsum("ah,bsh->bsa", weight[:, n:], keys)
    return torch.einsum("btsa,a->bts", (from_query[:, :, None] + from_key[:, None]).tanh(), v)


@right
def concat_score(query, keys, weight, v):
    batch = []
    for b in range(query.shape[0]):
        rows = []
        for s in query[b]:
            rows.append(torch.stack([v @ torch.tanh(weight @ torch.cat([s, h])) for h in keys[b]]))
        batch.append(torch.stack(rows))
    return torch.stack(batch)
