"""Exercise 6.1: ``dot_score``."""

import re

import torch
from torch import Tensor
from torch.nn.functional import normalize

from attnbook.checks.attention import score_mistakes
from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.rules import by_hand
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import fmt


def dot_score(query: Tensor, keys: Tensor) -> Tensor:
    """Scores e = query keys^T. query (B, T, H), keys (B, S, H) → (B, T, S); other sizes: error."""
    sizes = query.shape[-1], keys.shape[-1]
    if sizes[0] != sizes[1]:
        raise ValueError(f"query and keys must have the same size, got {sizes[0]} and {sizes[1]}")
    return query @ keys.transpose(1, 2)


def _query_and_keys() -> Inputs:
    yield {
        "query": torch.tensor([[[1.0, 2.0], [0.0, 3.0]]]),
        "keys": torch.tensor([[[3.0, 1.0], [-1.0, 0.0]]]),
    }
    yield {
        "query": torch.tensor([[[1.0, 2.0, 0.0, 2.0]]]),
        "keys": torch.tensor([[[3.0, 0.0, 5.0, 1.0], [0.0, -1.0, 0.0, 4.0]]]),
    }
    make = normal(1)
    yield {"query": make(2, 3, 4), "keys": make(2, 3, 4)}
    yield {"query": make(2, 3, 7), "keys": make(2, 5, 7)}
    yield {"query": make(3, 4, 6), "keys": make(3, 2, 6)}


def _refuses(call: Call) -> str | None:
    wide = call.query.shape[-1]
    for size in (wide + 2, 1, wide - 1):
        keys = call.keys.new_ones(*call.keys.shape[:2], size)
        problem = call.error(keys=keys)
        sizes = f"a query of {wide} numbers and keys of {size}"
        if problem is None:
            return (
                f"It has an answer for {sizes}. There is none: raise a ValueError (a message that "
                "is printed or returned stops nobody)."
            )
        if not isinstance(problem, ValueError):
            return (
                f"For {sizes} it raises {type(problem).__name__}, and the reader has to guess. "
                "Compare the sizes first, and raise a ValueError."
            )
        missing = [n for n in (wide, size) if str(n) not in re.findall(r"\d+", str(problem))]
        if missing:
            return (
                f"For {sizes} the ValueError says “{problem}”: {missing[0]} is missing. Name both "
                f"sizes, so that the reader need not look for them."
            )
    return None


def _accepts(call: Call) -> str | None:
    keys = torch.cat([call.keys, call.keys], dim=1)
    problem = call.error(keys=keys)
    if problem is None:
        return None
    return (
        f"A query of shape {tuple(call.query.shape)} and keys of shape {tuple(keys.shape)} fit: "
        f"both have {keys.shape[-1]} numbers. It raises {type(problem).__name__}: {problem}. Which "
        "dimension must be equal, and is that the one which is compared?"
    )


def _one_score(call: Call, b: int, t: int, s: int) -> str:
    query, key = call.query[b, t], call.keys[b, s]
    return (
        f"the query {fmt(query)} times the key {fmt(key)}, number by number, is "
        f"{fmt(query * key)}, and the sum of that {fmt((query @ key).item())}"
    )


CHECK = Exercise(
    dot_score,
    inputs=_query_and_keys,
    rules={
        "any number of keys can be asked": _accepts,
        "unequal sizes are refused with a ValueError that names both": _refuses,
        "a score is the sum of the products": by_hand(_one_score),
    },
    mistakes={
        **score_mistakes(dot_score),
        "This is the cosine: the lengths have been divided away. A dot product keeps them.": (
            lambda query, keys: dot_score(normalize(query, dim=-1), normalize(keys, dim=-1))
        ),
        "This is the scaled score. Here nothing is divided yet.": (
            lambda query, keys: dot_score(query, keys) / query.shape[-1] ** 0.5
        ),
    },
)
