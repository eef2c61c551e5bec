"""Answers to exercise ``multi_head``, as learners write them."""

from answering import wrong


@wrong("root of D")
def multi_head(query, keys, values, allowed, heads):
    import math

    import torch

    D = query.shape[-1]
    outs, ws = [], []
    for q, k, v in zip(query.chunk(heads, -1), keys.chunk(heads, -1), values.chunk(heads, -1)):
        e = (q @ k.transpose(1, 2) / math.sqrt(D)).masked_fill(~allowed, -1e30)
        w = e.softmax(-1)
        outs.append(w @ v)
        ws.append(w)
    return torch.cat(outs, -1), torch.stack(ws, 1)


@wrong("not divided by a root")
def multi_head(query, keys, values, allowed, heads):
    import torch

    outs, ws = [], []
    for q, k, v in zip(query.chunk(heads, -1), keys.chunk(heads, -1), values.chunk(heads, -1)):
        w = (q @ k.transpose(1, 2)).masked_fill(~allowed, float("-inf")).softmax(-1)
        outs.append(w @ v)
        ws.append(w)
    return torch.cat(outs, -1), torch.stack(ws, 1)


@wrong("may not be attended has weight")
def multi_head(query, keys, values, allowed, heads):
    def cut(x):
        return x.reshape(x.shape[0], x.shape[1], heads, -1).transpose(1, 2)

    q, k, v = cut(query), cut(keys), cut(values)
    w = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(-1)
    return (w @ v).transpose(1, 2).reshape(query.shape), w


@wrong("mixed up in the split")
def multi_head(query, keys, values, allowed, heads):
    def cut(x):
        return x.reshape(x.shape[0], x.shape[1], -1, heads).permute(0, 3, 1, 2)

    q, k, v = cut(query), cut(keys), cut(values)
    e = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    w = e.masked_fill(~allowed.unsqueeze(1), -1e30).softmax(-1)
    return (w @ v).transpose(1, 2).reshape(query.shape), w


@wrong("wrong order")
def multi_head(query, keys, values, allowed, heads):
    def cut(x):
        return x.reshape(x.shape[0], x.shape[1], heads, -1).transpose(1, 2)

    q, k, v = cut(query), cut(keys), cut(values)
    e = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    w = e.masked_fill(~allowed.unsqueeze(1), -1e30).softmax(-1)
    return (w @ v).permute(0, 2, 3, 1).reshape(query.shape), w


@wrong("reshape without a transposition")
def multi_head(query, keys, values, allowed, heads):
    def cut(x):
        return x.view(x.shape[0], heads, x.shape[1], -1)

    q, k, v = cut(query), cut(keys), cut(values)
    e = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    w = e.masked_fill(~allowed.unsqueeze(1), -1e30).softmax(-1)
    return (w @ v).transpose(1, 2).flatten(-2), w


@wrong("softmax runs over the keys, and once")
def multi_head(query, keys, values, allowed, heads):
    def cut(x):
        return x.reshape(x.shape[0], x.shape[1], heads, -1).transpose(1, 2)

    q, k, v = cut(query), cut(keys), cut(values)
    w = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(-1) * allowed.unsqueeze(1)
    return (w @ v).transpose(1, 2).flatten(-2), w
