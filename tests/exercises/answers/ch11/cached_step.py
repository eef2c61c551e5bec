"""Answers to exercise ``cached_step``, as learners write them."""

from answering import wrong


@wrong("not divided by")
def cached_step(query, key, value, past_keys, past_values):
    import torch

    k, v = torch.cat([past_keys, key], 1), torch.cat([past_values, value], 1)
    return torch.bmm(torch.bmm(query, k.mT).softmax(-1), v), k, v


@wrong("front of the table")
def cached_step(query, key, value, past_keys, past_values):
    import torch

    k, v = torch.cat([key, past_keys], 1), torch.cat([value, past_values], 1)
    return (query @ k.mT / query.shape[-1] ** 0.5).softmax(-1) @ v, k, v


@wrong("mixture of the keys")
def cached_step(query, key, value, past_keys, past_values):
    import torch

    k, v = torch.cat([past_keys, key], 1), torch.cat([past_values, value], 1)
    return (query @ k.mT / query.shape[-1] ** 0.5).softmax(-1) @ k, k, v


@wrong("attends to itself")
def cached_step(query, key, value, past_keys, past_values):
    import torch

    k, v = torch.cat([past_keys, key], 1), torch.cat([past_values, value], 1)
    old = k[:, :-1] if k.shape[1] > 1 else k
    old_v = v[:, :-1] if k.shape[1] > 1 else v
    return (query @ old.mT / query.shape[-1] ** 0.5).softmax(-1) @ old_v, k, v


@wrong("a query is compared with keys")
def cached_step(query, key, value, past_keys, past_values):
    import torch

    k, v = torch.cat([past_keys, key], 1), torch.cat([past_values, value], 1)
    return (query @ v.mT / query.shape[-1] ** 0.5).softmax(-1) @ v, k, v


@wrong("where is the query")
def cached_step(query, key, value, past_keys, past_values):
    import torch

    k, v = torch.cat([past_keys, key], 1), torch.cat([past_values, value], 1)
    return v.mean(1, keepdim=True), k, v


@wrong("rows after a step")
def cached_step(query, key, value, past_keys, past_values):
    w = (query @ past_keys.mT / query.shape[-1] ** 0.5).softmax(-1)
    return w @ past_values, past_keys, past_values
