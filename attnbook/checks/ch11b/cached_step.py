"""Exercise 11.4: ``cached_step``."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.mistakes import only_a_part
from attnbook.exercises import Call, Exercise


def cached_step(
    query: Tensor, key: Tensor, value: Tensor, past_keys: Tensor, past_values: Tensor
) -> Any:
    """All (B, 1, d) and (B, t, d) → context (B, 1, d), keys and values (B, t + 1, d)."""
    keys = torch.cat([past_keys, key], dim=1)
    values = torch.cat([past_values, value], dim=1)
    scores = query @ keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    return scores.softmax(-1) @ values, keys, values


def _steps() -> Inputs:
    for seed, past, batch, size in ((3, 1, 1, 2), (4, 0, 2, 3), (5, 4, 2, 5), (6, 3, 3, 4)):
        make = normal(seed)
        yield {
            "query": make(batch, 1, size).requires_grad_(seed == 6),
            "key": make(batch, 1, size),
            "value": make(batch, 1, size),
            "past_keys": make(batch, past, size),
            "past_values": make(batch, past, size),
        }


def _tables_in_order(call: Call) -> str | None:
    for place, what in ((1, "key"), (2, "value")):
        past, new = call.arguments[f"past_{what}s"], call.arguments[what]
        table = call.result[place]
        if not torch.equal(table[:, :-1], past) or not torch.equal(table[:, -1:], new):
            front = torch.equal(table[:, 1:], past) and torch.equal(table[:, :1], new)
            message = " The new word is at the front." * front
            return f"The table of {what}s should be past_{what}s followed by {what}.{message}"
    return None


#: What else may come of the query (B, 1, d), keys and values (B, t, d) and their products.
_CONTEXTS: dict[str, Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]] = {
    "The scores were not divided by √d.": lambda q, k, v, e: e.softmax(-1) @ v,
    "The scores were divided by d, not by its root.": (
        lambda q, k, v, e: (e / q.shape[-1]).softmax(-1) @ v
    ),
    "The scores were divided by the root of the number of words. It is √d, the root of the size of "
    "a query.": lambda q, k, v, e: (e / k.shape[1] ** 0.5).softmax(-1) @ v,
    "The context is a mixture of the keys: the weights come from the keys, but they mix the "
    "values.": lambda q, k, v, e: (e / q.shape[-1] ** 0.5).softmax(-1) @ k,
    "You compare the query with the values. Compare it with the keys.": (
        lambda q, k, v, e: (q @ v.transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1) @ v
    ),
    "The new word is compared only with the past and mixes only that: it must also attend to "
    "itself.": (lambda q, k, v, e: (e[..., :-1] / q.shape[-1] ** 0.5).softmax(-1) @ v[:, :-1]),
    "Every weight is 1: a softmax over the one query gives that, and so does having none. It must "
    "run over the words, the last dimension.": lambda q, k, v, e: v.sum(1, keepdim=True),
    "All words have the same weight: did you use the query?": (
        lambda q, k, v, e: v.mean(1, keepdim=True)
    ),
    "Only the first word is attended. A causal mask of one row allows only that one; the new word "
    "sees all words before it, and none comes after.": lambda q, k, v, e: v[:, :1],
}


def _context(call: Call) -> str | None:
    """What a step was made with, if it is known: two sentences, six past words, d = 5."""
    make = normal(8)
    new = {name: make(2, 1, 5) for name in ("query", "key", "value")}
    past = {name: make(2, 6, 5) for name in ("past_keys", "past_values")}
    context_found = call.without_comparison(**new, **past)[0]
    expected, keys, values = cached_step(**new, **past)
    if context_found.shape != expected.shape or torch.allclose(context_found, expected, atol=1e-4):
        return None
    scores = new["query"] @ keys.transpose(1, 2)
    for clue, context in _CONTEXTS.items():
        other = context(new["query"], keys, values, scores)
        if torch.allclose(context_found, other, atol=1e-4):
            return clue
    return None


CHECK = Exercise(
    cached_step,
    inputs=_steps,
    rules={
        "the tables are the past and then the new word": _tables_in_order,
        "the scores are divided by √d, and their softmax mixes the values": _context,
    },
    mistakes={
        "You return the tables without the new word, which the next step needs.": (
            lambda query, key, value, past_keys, past_values: (
                cached_step(query, key, value, past_keys, past_values)[0],
                past_keys,
                past_values,
            )
        ),
        **only_a_part(cached_step, "the context", "the keys", "the values"),
    },
)
