"""Exercise 11.4: ``cached_step``."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import one_hot

from attnbook.checks.shared import Inputs, agrees, first_for_all, normal, plain, relatives, same
from attnbook.exercises import Call, Exercise


def cached_step(
    query: Tensor, key: Tensor, value: Tensor, past_keys: Tensor, past_values: Tensor
) -> Any:
    """All (B, 1, d) and (B, t, d) → context (B, 1, d), keys and values (B, t + 1, d)."""
    keys = torch.cat([past_keys, key], dim=1)
    values = torch.cat([past_values, value], dim=1)
    scores = query @ keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    return scores.softmax(-1) @ values, keys, values


# Ways to get it wrong -----------------------------------------------------------------------------


def _behind(past: Tensor, new: Tensor) -> Tensor:
    return torch.cat([past, new], dim=1)


def _one(scores: Tensor, places: Tensor) -> Tensor:
    """All weight for the word at a place."""
    return one_hot(places % scores.shape[-1], scores.shape[-1]).to(scores)


def _cached(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    past_keys: Tensor,
    past_values: Tensor,
    *,
    asks: Any = lambda query, key, value: query,
    compared: Any = lambda keys, values: keys,
    mixed: Any = lambda keys, values: values,
    root: Any = lambda query, words: math.sqrt(query.shape[-1]),
    weigh: Any = lambda scores: scores.softmax(-1),
    out: Any = lambda context, keys, values, weights: (context, keys, values),
    along: int = 1,
) -> Any:
    """A step of which one part may be another."""
    keys, values = torch.cat([past_keys, key], along), torch.cat([past_values, value], along)
    scores = asks(query, key, value) @ compared(keys, values).transpose(1, 2)
    weights = weigh(scores / root(query, keys.shape[1]))
    return out(weights @ mixed(keys, values), keys, values, weights)


# Inputs and rules ---------------------------------------------------------------------------------


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
    make = normal(7)
    new, before = (2, 1, 6), (2, 3, 6)
    sizes = {"query": new, "key": new, "value": new, "past_keys": before, "past_values": before}
    yield {name: make(*shape).double() for name, shape in sizes.items()}


def _tables_in_order(call: Call) -> str | None:
    for place, what in ((1, "key"), (2, "value")):
        past, new = call.arguments[f"past_{what}s"], call.arguments[what]
        table = call.result[place]
        if not torch.equal(table[:, :-1], past) or not torch.equal(table[:, -1:], new):
            front = torch.equal(table[:, 1:], past) and torch.equal(table[:, :1], new)
            told = " The new word stands at the front." * front
            return f"The table of {what}s should be past_{what}s and then, last, {what}.{told}"
    return None


def _sees_itself(call: Call) -> str | None:
    moved = call(value=call.value + 1)[0] - call.result[0]
    if bool((moved.abs() > 1e-6).any()):
        return None
    return "The new word's own value does not reach its context: it attends to itself too."


def _sees_the_past(call: Call) -> str | None:
    for t in range(call.past_values.shape[1]):
        values = call.past_values.clone()
        values[:, t] += 1
        if not bool(((call(past_values=values)[0] - call.result[0]).abs() > 1e-7).any()):
            return f"The value of past word {t} does not reach the context: all words are attended."
    return None


def _mixes(call: Call) -> str | None:
    ones = torch.ones_like(call.past_values), torch.ones_like(call.value)
    context = call(past_values=ones[0], value=ones[1])[0]
    if torch.allclose(context, torch.ones_like(context), atol=1e-4):
        return None
    return (
        f"When all values are 1, a {float(context.flatten()[0]):.4g} stands in the context: the "
        "weights of the words should sum to 1, and mix the values."
    )


CHECK = Exercise(
    "cached_step",
    reference=cached_step,
    inputs=_steps,
    rules={
        "the tables are the past and then the new word": _tables_in_order,
        "the new word attends to itself": _sees_itself,
        "the new word attends to every past word": _sees_the_past,
        "the weights of the words sum to 1": _mixes,
        "the context is that of the scaled dot score": agrees(
            "sentence", "query", "feature", part=0
        ),
    },
    mistakes=[
        *relatives(
            _cached,
            root={
                "The scores were not divided by √d.": lambda q, words: 1,
                "The scores were divided by d, not by its root.": lambda q, words: q.shape[-1],
                "The scores were divided by the root of the number of words. It is √d, the root of "
                "the size of a query.": lambda q, words: words**0.5,
                "The scores were divided by the number of words. It is √d, the root of the size of "
                "a query.": lambda q, words: words,
                "The scores were divided by 2, which is √d for d = 4 alone.": lambda q, words: 2,
                "The scores were multiplied by √d. They are divided by it.": lambda q, words: (
                    q.shape[-1] ** -0.5
                ),
                "The scores were divided by the root of the number of sentences. It is "
                "√d.": lambda q, words: len(q) ** 0.5,
            },
            weigh={
                "Every weight is 1: a softmax over the one query gives that, and so does none. It "
                "runs over the words, the last dimension.": torch.ones_like,
                "The softmax runs over the batch: it runs over the words, the last "
                "dimension.": lambda e: e.softmax(0),
                "There is no softmax: the scores themselves are used as weights.": same,
                "The scores are divided by their sum. Where is the exponential?": lambda e: (
                    e / e.sum(-1, keepdim=True)
                ),
                "All words weigh the same here: where is the query?": lambda e: torch.zeros_like(
                    e
                ).softmax(-1),
                "Only the word with the highest score is taken. A context mixes them "
                "all.": lambda e: _one(e, e.argmax(-1)),
                "Only the first word is attended. A causal mask of one row allows that one alone; "
                "the new word sees all before it, and none stands "
                "after.": lambda e: _one(e, torch.zeros(e.shape[:2]).long()),
                "Only the new word itself is attended, none of the past.": lambda e: _one(
                    e, torch.full(e.shape[:2], -1)
                ),
                "A second softmax was taken.": lambda e: e.softmax(-1).softmax(-1),
                "These are logarithms of weights: the values are mixed by the weights.": lambda e: (
                    e.log_softmax(-1)
                ),
            },
            asks={
                "The new word's key asks. The query asks.": lambda query, key, value: key,
                "The new word's value asks. The query asks.": lambda query, key, value: value,
                "The query of the first sentence asks in every "
                "sentence.": lambda query, key, value: first_for_all(query),
            },
            compared={
                "These are the scores of the values: a query is compared with "
                "keys.": lambda keys, values: values,
                "The keys of the first sentence are used for every "
                "sentence.": lambda keys, values: first_for_all(keys),
            },
            mixed={
                "The context is a mixture of the keys: the weights come from the keys, what they "
                "mix are the values.": lambda keys, values: keys,
                "The values of the first sentence are used for every "
                "sentence.": lambda keys, values: first_for_all(values),
                "The values run backwards: weight j belongs to value j.": lambda keys, values: (
                    values.flip(1)
                ),
            },
            out={
                "The new word stands at the front of the table: the past comes first, it is the "
                "last row.": lambda c, k, v, w: (c, k.roll(1, 1), v.roll(1, 1)),
                "Keys and values have changed places: the context comes first, then the keys, then "
                "the values.": lambda c, k, v, w: (c, v, k),
                "The tables come back without the new word: the next step needs "
                "it.": lambda c, k, v, w: (c, k[:, :-1], v[:, :-1]),
                "Only the key and value of the new word come back: the next step needs the past as "
                "well.": lambda c, k, v, w: (c, k[:, -1:], v[:, -1:]),
                "Only the context comes back: the next step needs the keys and the "
                "values.": lambda c, k, v, w: c,
                "The context lost its dimension 1: it is (B, 1, d).": lambda c, k, v, w: (
                    c.squeeze(1),
                    k,
                    v,
                ),
                "The weights come back where the context belongs.": lambda c, k, v, w: (w, k, v),
                "The table of keys comes back twice.": lambda c, k, v, w: (c, k, k),
                "The context stands last: it comes first, then the keys and the "
                "values.": lambda c, k, v, w: (k, v, c),
            },
        ),
        *(
            (
                f"The new word is joined along dimension {along}, the {what}. The words stand in "
                "dimension 1.",
                plain(_cached, along=along),
            )
            for along, what in ((0, "sentences"), (2, "features"))
        ),
        *{
            "The new word is compared with the past alone and mixes only that: it attends to "
            "itself, too.": lambda query, key, value, past_keys, past_values: (
                (query @ past_keys.transpose(1, 2) / math.sqrt(query.shape[-1])).softmax(-1)
                @ past_values,
                _behind(past_keys, key),
                _behind(past_values, value),
            ),
            "The query was written into the table of keys: the new word's key belongs "
            "there.": lambda query, key, value, past_keys, past_values: cached_step(
                query, query, value, past_keys, past_values
            ),
            "Key and value of the new word have changed places in the "
            "tables.": lambda query, key, value, past_keys, past_values: cached_step(
                query, value, key, past_keys, past_values
            ),
        }.items(),
    ],
)
