import math

import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("attends to the past only: the new word is added afterwards")
def cached_step(query, key, value, past_keys, past_values):
    keys = torch.cat([past_keys, key], dim=1)
    values = torch.cat([past_values, value], dim=1)
    scores = query @ past_keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    return scores.softmax(-1) @ past_values, keys, values


@wrong("the new key stands in front of the old ones")
def cached_step(query, key, value, past_keys, past_values):
    keys = torch.cat([key, past_keys], dim=1)
    values = torch.cat([value, past_values], dim=1)
    scores = query @ keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    return scores.softmax(-1) @ values, keys, values


@wrong("not divided by the root of d")
def cached_step(query, key, value, past_keys, past_values):
    keys = torch.cat([past_keys, key], dim=1)
    values = torch.cat([past_values, value], dim=1)
    scores = query @ keys.transpose(1, 2)
    return scores.softmax(-1) @ values, keys, values


@wrong("divided by the root of the number of words")
def cached_step(query, key, value, past_keys, past_values):
    keys = torch.cat([past_keys, key], dim=1)
    values = torch.cat([past_values, value], dim=1)
    scores = query @ keys.transpose(1, 2) / math.sqrt(keys.shape[1])
    return scores.softmax(-1) @ values, keys, values


@wrong("joined along the features")
def cached_step(query, key, value, past_keys, past_values):
    keys = torch.cat([past_keys, key], dim=-1)
    values = torch.cat([past_values, value], dim=-1)
    scores = query @ keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    return scores.softmax(-1) @ values, keys, values


@wrong("keys and values are swapped in what is returned")
def cached_step(query, key, value, past_keys, past_values):
    keys = torch.cat([past_keys, key], dim=1)
    values = torch.cat([past_values, value], dim=1)
    scores = query @ keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    return scores.softmax(-1) @ values, values, keys


@wrong("the old tables are returned: nothing is kept")
def cached_step(query, key, value, past_keys, past_values):
    keys = torch.cat([past_keys, key], dim=1)
    values = torch.cat([past_values, value], dim=1)
    scores = query @ keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    return scores.softmax(-1) @ values, past_keys, past_values


@wrong("only the new key and value are returned")
def cached_step(query, key, value, past_keys, past_values):
    keys = torch.cat([past_keys, key], dim=1)
    values = torch.cat([past_values, value], dim=1)
    scores = query @ keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    return scores.softmax(-1) @ values, key, value


@wrong("the query is kept in place of the key")
def cached_step(query, key, value, past_keys, past_values):
    keys = torch.cat([past_keys, query], dim=1)
    values = torch.cat([past_values, value], dim=1)
    scores = query @ keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    return scores.softmax(-1) @ values, keys, values


@wrong("softmax over the features of the query's dimension: dim 1")
def cached_step(query, key, value, past_keys, past_values):
    keys = torch.cat([past_keys, key], dim=1)
    values = torch.cat([past_values, value], dim=1)
    scores = query @ keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    return scores.softmax(1) @ values, keys, values


@wrong("a mask hides the new word itself")
def cached_step(query, key, value, past_keys, past_values):
    keys = torch.cat([past_keys, key], dim=1)
    values = torch.cat([past_values, value], dim=1)
    scores = query @ keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    scores[:, :, -1] = -1e9 if keys.shape[1] > 1 else 0.0
    return scores.softmax(-1) @ values, keys, values


@wrong("only the context is returned")
def cached_step(query, key, value, past_keys, past_values):
    keys = torch.cat([past_keys, key], dim=1)
    values = torch.cat([past_values, value], dim=1)
    scores = query @ keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    return scores.softmax(-1) @ values


@wrong("the weights are returned in the first place")
def cached_step(query, key, value, past_keys, past_values):
    keys = torch.cat([past_keys, key], dim=1)
    values = torch.cat([past_values, value], dim=1)
    scores = query @ keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    return scores.softmax(-1), keys, values


@wrong("the first word of the cache is dropped, so that the tables keep their length")
def cached_step(query, key, value, past_keys, past_values):
    keys = torch.cat([past_keys, key], dim=1)
    values = torch.cat([past_values, value], dim=1)
    if past_keys.shape[1]:
        keys, values = keys[:, 1:], values[:, 1:]
    scores = query @ keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    return scores.softmax(-1) @ values, keys, values


@wrong("the values are summed over all words with equal weights")
def cached_step(query, key, value, past_keys, past_values):
    keys = torch.cat([past_keys, key], dim=1)
    values = torch.cat([past_values, value], dim=1)
    scores = query @ keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    return values.mean(1, keepdim=True), keys, values


@wrong("the new word is written into the last place of the given tables")
def cached_step(query, key, value, past_keys, past_values):
    keys, values = torch.cat([past_keys, key], dim=1), torch.cat([past_values, value], dim=1)
    if past_keys.shape[1]:
        past_keys[:, -1:] = key
        past_values[:, -1:] = value
    scores = query @ keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    return scores.softmax(-1) @ values, keys, values


@right
def cached_step(query, key, value, past_keys, past_values):
    B, t, d = past_keys.shape
    keys, values = key.new_empty(B, t + 1, d), value.new_empty(B, t + 1, value.shape[2])
    keys[:, :t], keys[:, t:] = past_keys, key
    values[:, :t], values[:, t:] = past_values, value
    weights = torch.einsum("bqd,bsd->bqs", query, keys).div(d**0.5).softmax(dim=2)
    return torch.einsum("bqs,bsd->bqd", weights, values), keys, values


@right
def cached_step(query, key, value, past_keys, past_values):
    keys = torch.stack([*past_keys.unbind(1), key[:, 0]], dim=1)
    values = torch.stack([*past_values.unbind(1), value[:, 0]], dim=1)
    return F.scaled_dot_product_attention(query, keys, values), keys, values
