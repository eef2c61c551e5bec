"""Exercise 11.4: ``cached_step``."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _cached(
    query: Tensor, key: Tensor, value: Tensor, past_keys: Tensor, past_values: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    keys, values = torch.cat([past_keys, key], dim=1), torch.cat([past_values, value], dim=1)
    scores = query @ keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    return scores.softmax(-1) @ values, keys, values


def _steps() -> Inputs:
    for seed, past, batch in ((3, 1, 1), (4, 0, 2), (5, 4, 2)):
        make = normal(seed)
        yield {
            "query": make(batch, 1, 4),
            "key": make(batch, 1, 4),
            "value": make(batch, 1, 4),
            "past_keys": make(batch, past, 4),
            "past_values": make(batch, past, 4),
        }


def _sees_itself(call: Call) -> str | None:
    moved = call(value=call.value + 1)[0] - call.result[0]
    if bool((moved.abs() > 1e-6).any()):
        return None
    return "The new word's own value does not reach its context: it attends to itself too."


def _wrong(make: Callable[..., Tensor], **order: bool) -> Callable[..., tuple[Tensor, ...]]:
    """The right caches with another context."""

    def answer(query, key, value, past_keys, past_values):  # type: ignore[no-untyped-def]
        _, keys, values = _cached(query, key, value, past_keys, past_values)
        return make(query, keys, values), keys, values

    return answer


CHECK = Exercise(
    "cached_step",
    reference=_cached,
    inputs=_steps,
    rules={
        "the tables grow by one row": lambda call: (
            None
            if call.result[1].shape[1] == call.past_keys.shape[1] + 1
            else f"The table of keys has {call.result[1].shape[1]} rows after a step; it had "
            f"{call.past_keys.shape[1]} before."
        ),
        "the new word attends to itself": _sees_itself,
    },
    mistakes=[
        Mistake(
            "The scores were not divided by √d.",
            _wrong(lambda q, k, v: (q @ k.transpose(1, 2)).softmax(-1) @ v),
        ),
        Mistake(
            "The new word stands at the front of the table: the past comes first, it is the last "
            "row.",
            lambda query, key, value, past_keys, past_values: (
                _cached(query, key, value, past_keys, past_values)[0],
                torch.cat([key, past_keys], dim=1),
                torch.cat([value, past_values], dim=1),
            ),
        ),
        Mistake(
            "The context is a mixture of the keys: the weights come from the keys, what they mix "
            "are the values.",
            _wrong(
                lambda q, k, v: (q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])).softmax(-1) @ k
            ),
        ),
        Mistake(
            "These are the scores of the values: a query is compared with keys.",
            _wrong(
                lambda q, k, v: (q @ v.transpose(1, 2) / math.sqrt(q.shape[-1])).softmax(-1) @ v
            ),
        ),
        Mistake(
            "All words weigh the same here: where is the query?",
            _wrong(lambda q, k, v: v.mean(1, keepdim=True)),
        ),
    ],
)
