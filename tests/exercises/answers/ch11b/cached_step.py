"""Answers to exercise ``cached_step``, as learners write them."""

import torch
from answering import wrong


@wrong("Compare it with the keys")
def cached_step(query, key, value, past_keys, past_values):
    k, v = torch.cat([past_keys, key], 1), torch.cat([past_values, value], 1)
    return (query @ v.mT / query.shape[-1] ** 0.5).softmax(-1) @ v, k, v
