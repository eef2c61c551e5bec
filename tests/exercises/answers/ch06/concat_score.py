"""Answers to exercise ``concat_score``, as learners write them."""

import torch
from answering import right, wrong


@wrong("The key comes first here")
def concat_score(query, keys, weight, v):
    T, S = query.shape[1], keys.shape[1]
    s = query.unsqueeze(2).repeat(1, 1, S, 1)
    h = keys.unsqueeze(1).repeat(1, T, 1, 1)
    return torch.tanh(torch.cat([h, s], dim=3) @ weight.T) @ v


@wrong("Where is the tanh?")
def concat_score(query, keys, weight, v):
    n = query.shape[-1]
    both = (query @ weight[:, :n].T)[:, :, None] + (keys @ weight[:, n:].T)[:, None]
    return both @ v


@wrong("The tanh is outside")
def concat_score(query, keys, weight, v):
    n = query.shape[-1]
    both = (query @ weight[:, :n].T)[:, :, None] + (keys @ weight[:, n:].T)[:, None]
    return torch.tanh(both @ v)


@wrong("not weighted by v")
def concat_score(query, keys, weight, v):
    n = query.shape[-1]
    both = (query @ weight[:, :n].T)[:, :, None] + (keys @ weight[:, n:].T)[:, None]
    return torch.tanh(both).sum(dim=-1)


@wrong("Rows are keys and columns are queries")
def concat_score(query, keys, weight, v):
    n = query.shape[-1]
    both = (query @ weight[:, :n].T)[:, None] + (keys @ weight[:, n:].T)[:, :, None]
    return torch.tanh(both) @ v


@wrong("The tanh comes too early")
def concat_score(query, keys, weight, v):
    T, S = query.shape[1], keys.shape[1]
    s = query.unsqueeze(2).expand(-1, -1, S, -1)
    h = keys.unsqueeze(1).expand(-1, T, -1, -1)
    return torch.einsum("btsi,ai,a->bts", torch.cat([s, h], -1).tanh(), weight, v)


@wrong("The mean of all keys is compared with the query")
def concat_score(query, keys, weight, v):
    out = torch.zeros(query.shape[0], query.shape[1], keys.shape[1])
    for t in range(query.shape[1]):
        for j in range(keys.shape[1]):
            both = torch.cat([query[:, t], keys.mean(1)], dim=-1)
            out[:, t, j] = torch.tanh(both @ weight.T) @ v
    return out


@wrong("Queries and keys are paired wrongly")
def concat_score(query, keys, weight, v):
    T, S = query.shape[1], keys.shape[1]
    pairs = torch.cat([query.repeat(1, S, 1), keys.repeat(1, T, 1)], dim=-1)
    return (torch.tanh(pairs @ weight.T) @ v).view(-1, T, S)


@wrong("every row shows its scores")
def concat_score(query, keys, weight, v):
    T, S = query.shape[1], keys.shape[1]
    q = query[:, :1].expand(-1, S, -1)
    score = torch.tanh(torch.cat([q, keys], dim=-1) @ weight.T) @ v
    return score.unsqueeze(1).expand(-1, T, -1)


@wrong("W_a is cut in the middle")
def concat_score(query, keys, weight, v):
    half = weight.shape[1] // 2
    a, b = query @ weight[:, :half].T, keys @ weight[:, half:].T
    return torch.tanh(a.unsqueeze(2) + b.unsqueeze(1)) @ v


@wrong("are bent one by one")
def concat_score(query, keys, weight, v):
    n = query.shape[-1]
    a, b = torch.tanh(query @ weight[:, :n].T) @ v, torch.tanh(keys @ weight[:, n:].T) @ v
    return a.unsqueeze(2) + b.unsqueeze(1)


@wrong("what bends the hidden numbers here?")
def concat_score(query, keys, weight, v):
    n = query.shape[-1]
    both = (query @ weight[:, :n].T)[:, :, None] + (keys @ weight[:, n:].T)[:, None]
    return both.clamp(0, 1) @ v


@right
def concat_score(query, keys, weight, v):
    n = query.shape[-1]
    from_query = torch.einsum("ah,bth->bta", weight[:, :n].double(), query.double())
    from_key = torch.einsum("ah,bsh->bsa", weight[:, n:].double(), keys.double())
    hidden = (from_query[:, :, None] + from_key[:, None]).tanh()
    return torch.einsum("btsa,a->bts", hidden, v.double())


@wrong("No gradient comes back")
def concat_score(query, keys, weight, v):
    batch = []
    for b in range(query.shape[0]):
        rows = []
        for s in query[b]:
            rows.append([float(v @ torch.tanh(weight @ torch.cat([s, h]))) for h in keys[b]])
        batch.append(rows)
    return torch.tensor(batch)


@wrong("needs it transposed")
def concat_score(query, keys, weight, v):
    T, S = query.shape[1], keys.shape[1]
    s = query.unsqueeze(2).expand(-1, -1, S, -1)
    h = keys.unsqueeze(1).expand(-1, T, -1, -1)
    return torch.tanh(torch.cat([s, h], dim=-1) @ weight) @ v


@wrong("needs it transposed")
def concat_score(query, keys, weight, v):
    rows = []
    for t in range(query.shape[1]):
        s = query[:, t : t + 1].expand(-1, keys.shape[1], -1)
        rows.append((torch.tanh(torch.matmul(torch.cat([s, keys], 2), weight)) * v).sum(-1))
    return torch.stack(rows, dim=1)


@wrong("needs it transposed")
def concat_score(query, keys, weight, v):
    n = query.shape[-1]
    both = (query @ weight[:, :n])[:, :, None] + (keys @ weight[:, n:])[:, None]
    return torch.tanh(both) @ v


@right
def concat_score(query, keys, weight, v):
    batch = []
    for b in range(query.shape[0]):
        rows = []
        for s in query[b]:
            rows.append(torch.stack([v @ torch.tanh(weight @ torch.cat([s, h])) for h in keys[b]]))
        batch.append(torch.stack(rows))
    return torch.stack(batch)


@wrong("concatenate along the last dimension")
def concat_score(query, keys, weight, v):
    asks = query.unsqueeze(2).expand(-1, -1, keys.shape[1], -1)
    answers = keys.unsqueeze(1).expand(-1, query.shape[1], -1, -1)
    return torch.tanh(torch.cat([asks, answers], dim=2) @ weight.T) @ v


@wrong("By hand: W_a [s ; h] is")
def concat_score(query, keys, weight, v):
    asks = query.unsqueeze(2).expand(-1, -1, keys.shape[1], -1)
    answers = keys.unsqueeze(1).expand(-1, query.shape[1], -1, -1)
    return torch.tanh(torch.cat([asks, answers], dim=-1).abs() @ weight.T) @ v
