"""Answers to exercise ``additive_score``, as learners write them."""

from answering import wrong


@wrong("linear in query and key")
def additive_score(query, keys, w, u, v):
    s, h = query @ w.T, keys @ u.T
    return (s[:, :, None] + h[:, None]) @ v


@wrong("The tanh is outside")
def additive_score(query, keys, w, u, v):
    from_query = (query @ w.T) @ v
    from_key = (keys @ u.T) @ v
    return (from_query[:, :, None] + from_key[:, None, :]).tanh()


@wrong("bent one by one")
def additive_score(query, keys, w, u, v):
    import torch

    s = torch.tanh(query @ w.T).unsqueeze(2)
    h = torch.tanh(keys @ u.T).unsqueeze(1)
    return (s + h) @ v


@wrong("not weighted by v")
def additive_score(query, keys, w, u, v):
    import torch

    s, h = (query @ w.T).unsqueeze(2), (keys @ u.T).unsqueeze(1)
    return torch.tanh(s + h).sum(dim=3)


@wrong("Rows are keys and columns are queries")
def additive_score(query, keys, w, u, v):
    import torch

    s, h = (query @ w.T).unsqueeze(1), (keys @ u.T).unsqueeze(2)
    return torch.tanh(s + h) @ v


@wrong("This is a ReLU")
def additive_score(query, keys, w, u, v):
    import torch

    s, h = (query @ w.T).unsqueeze(2), (keys @ u.T).unsqueeze(1)
    return torch.relu(s + h) @ v
