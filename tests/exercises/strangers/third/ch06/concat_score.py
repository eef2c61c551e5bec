import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("the key before the query")
def concat_score(query, keys, weight, v):
    B, T, _ = query.shape
    S = keys.shape[1]
    q = query.unsqueeze(2).expand(-1, -1, S, -1)
    k = keys.unsqueeze(1).expand(-1, T, -1, -1)
    return torch.tanh(torch.cat([k, q], dim=-1) @ weight.T) @ v


@wrong("no tanh")
def concat_score(query, keys, weight, v):
    T, S = query.shape[1], keys.shape[1]
    q = query.unsqueeze(2).expand(-1, -1, S, -1)
    k = keys.unsqueeze(1).expand(-1, T, -1, -1)
    return torch.cat([q, k], dim=-1) @ weight.T @ v


@wrong("a tanh for the query's part and one for the key's")
def concat_score(query, keys, weight, v):
    Hd = query.shape[-1]
    q = torch.tanh(query @ weight[:, :Hd].T).unsqueeze(2)
    k = torch.tanh(keys @ weight[:, Hd:].T).unsqueeze(1)
    return (q + k) @ v


@wrong("the new dimensions are swapped: (B, S, T)")
def concat_score(query, keys, weight, v):
    Hd = query.shape[-1]
    q = (query @ weight[:, :Hd].T).unsqueeze(1)
    k = (keys @ weight[:, Hd:].T).unsqueeze(2)
    return torch.tanh(q + k) @ v


@wrong("the columns are cut at He: the query gets the last ones")
def concat_score(query, keys, weight, v):
    He = keys.shape[-1]
    q = (query @ weight[:, He:].T).unsqueeze(2)
    k = (keys @ weight[:, :He].T).unsqueeze(1)
    return torch.tanh(q + k) @ v


@wrong("a plain sum instead of the product with v")
def concat_score(query, keys, weight, v):
    T, S = query.shape[1], keys.shape[1]
    q = query.unsqueeze(2).expand(-1, -1, S, -1)
    k = keys.unsqueeze(1).expand(-1, T, -1, -1)
    return torch.tanh(torch.cat([q, k], dim=-1) @ weight.T).sum(-1)


@wrong("tanh of the features before the matrix")
def concat_score(query, keys, weight, v):
    T, S = query.shape[1], keys.shape[1]
    q = query.unsqueeze(2).expand(-1, -1, S, -1)
    k = keys.unsqueeze(1).expand(-1, T, -1, -1)
    return torch.tanh(torch.cat([q, k], dim=-1)) @ weight.T @ v


@wrong("every query beside the mean of all keys")
def concat_score(query, keys, weight, v):
    T, S = query.shape[1], keys.shape[1]
    q = query.unsqueeze(2).expand(-1, -1, S, -1)
    k = keys.mean(1, keepdim=True).unsqueeze(1).expand(-1, T, S, -1)
    return torch.tanh(torch.cat([q, k], dim=-1) @ weight.T) @ v


@wrong("the softmax is taken already")
def concat_score(query, keys, weight, v):
    Hd = query.shape[-1]
    q = (query @ weight[:, :Hd].T).unsqueeze(2)
    k = (keys @ weight[:, Hd:].T).unsqueeze(1)
    return (torch.tanh(q + k) @ v).softmax(-1)


@wrong("expand is replaced by a view that deals the keys out among the queries")
def concat_score(query, keys, weight, v):
    B, T, _ = query.shape
    S = keys.shape[1]
    q = query.unsqueeze(2).expand(-1, -1, S, -1)
    k = keys.repeat_interleave(T, dim=1).view(B, T, S, -1)
    return torch.tanh(torch.cat([q, k], dim=-1) @ weight.T) @ v


@right
def concat_score(query, keys, weight, v):
    left, lower = weight.tensor_split([query.shape[-1]], dim=1)
    inner = F.linear(query, left)[:, :, None] + F.linear(keys, lower)[:, None]
    return torch.einsum("btsa,a->bts", inner.tanh(), v)


@right
def concat_score(query, keys, weight, v):
    rows = []
    for asked, known in zip(query, keys):
        table = [[v @ torch.tanh(weight @ torch.cat([s, h])) for h in known] for s in asked]
        rows.append(torch.stack([torch.stack(row) for row in table]))
    return torch.stack(rows)
