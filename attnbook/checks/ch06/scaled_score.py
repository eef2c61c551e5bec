"""Exercise 6.6: ``scaled_score``."""

from __future__ import annotations

import math
from collections.abc import Callable

from torch import Tensor
from torch.nn import functional as F

from attnbook.checks.ch06.shared import dot, own_key_only, own_pair_only, query_and_keys, slips
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _scaled(query: Tensor, keys: Tensor) -> Tensor:
    return dot(query, keys) / query.shape[-1] ** 0.5


def _sizes() -> Inputs:
    yield from query_and_keys(7)
    make = normal(8)
    yield {"query": make(2, 3, 12), "keys": make(2, 4, 12)}


def _keeps_variance(call: Call) -> str | None:
    make = normal(25)
    (_, steps, size), positions = call.query.shape, call.keys.shape[1]
    rows = 1200 // (steps * positions)
    scores = call(query=make(rows, steps, size), keys=make(rows, positions, size))
    variance = float(scores.var())
    if 0.8 < variance < 1.25:
        return None
    return (
        f"For random vectors of {size} numbers of variance 1 the scores have variance "
        f"{variance:.2f}. It should be about 1: the variance grows {size}-fold, so what undoes it?"
    )


def _by(factor: Callable[[Tensor, Tensor], float | Tensor]) -> Callable[..., Tensor]:
    return lambda query, keys: dot(query, keys) * factor(query, keys)


def _rounded(whole: Callable[[int], int]) -> Callable[..., Tensor]:
    return _by(lambda query, keys: 1 / whole(query.shape[-1]))


def _fixed(number: int) -> Mistake:
    return Mistake(
        f"They are divided by {number}, whatever the size. That is √{number**2}: right for vectors "
        f"of {number**2} numbers only.",
        _by(lambda query, keys: 1 / number),
    )


_ROUNDED = (
    "The root of the size is rounded to a whole number. √H is exact: math.sqrt or ** 0.5 gives "
    "its decimals."
)
_SPREAD = (
    "The scores are divided by their own standard deviation, so every score depends on all the "
    "others. √H is known beforehand."
)

CHECK = Exercise(
    "scaled_score",
    reference=_scaled,
    inputs=_sizes,
    rules={
        "a score depends on its own key only": own_key_only,
        "a score is that of its own pair": own_pair_only,
        "numbers of variance 1 give scores of variance 1": _keeps_variance,
    },
    mistakes=[
        *slips(_scaled),
        Mistake("Nothing has been divided: this is the plain dot product.", dot),
        Mistake(
            "The scores are divided by the size itself. The size is the *variance* of the sum; "
            "a variance is a square.",
            _by(lambda query, keys: 1 / query.shape[-1]),
        ),
        Mistake(
            "They are divided by the fourth root of the size. The variance is H, so the scores "
            "are divided by √H. (Query and keys *each* divided by the fourth root would be right.)",
            _by(lambda query, keys: query.shape[-1] ** -0.25),
        ),
        Mistake(
            "They are divided by the root of the number of keys. How many products does one "
            "score sum up?",
            _by(lambda query, keys: keys.shape[1] ** -0.5),
        ),
        Mistake(
            "They are divided by the root of the number of queries. How many products does one "
            "score sum up?",
            _by(lambda query, keys: query.shape[1] ** -0.5),
        ),
        Mistake(
            "They are divided by the root of the number of sentences. How many products does one "
            "score sum up?",
            _by(lambda query, keys: query.shape[0] ** -0.5),
        ),
        Mistake(
            "They are divided by the number of keys. How many products does one score sum up, "
            "and is that the variance or the spread?",
            _by(lambda query, keys: 1 / keys.shape[1]),
        ),
        Mistake(
            "They are multiplied by the root: that makes large scores larger still.",
            _by(lambda query, keys: query.shape[-1] ** 0.5),
        ),
        *(
            Mistake(_ROUNDED, _rounded(whole))
            for whole in (
                math.isqrt,
                lambda size: round(size**0.5),
                lambda size: math.ceil(size**0.5),
            )
        ),
        Mistake(
            "They are divided by the logarithm of the size. A spread is the square root of a "
            "variance.",
            _by(lambda query, keys: 1 / math.log(query.shape[-1])),
        ),
        Mistake(
            "They are divided by √(2H), as if query and keys were joined. One score sums H "
            "products.",
            _by(lambda query, keys: (2 * query.shape[-1]) ** -0.5),
        ),
        *(_fixed(number) for number in (2, 8)),
        Mistake(
            "Each score is divided by the lengths of its two vectors: that is the cosine. √H is "
            "one number, the same for all scores.",
            lambda query, keys: dot(F.normalize(query, dim=-1), F.normalize(keys, dim=-1)),
        ),
        Mistake(
            "This is the cosine divided by √H. The vectors keep their lengths here.",
            lambda query, keys: _scaled(F.normalize(query, dim=-1), F.normalize(keys, dim=-1)),
        ),
        Mistake(_SPREAD, _by(lambda query, keys: 1 / dot(query, keys).std())),
        Mistake(_SPREAD, _by(lambda query, keys: 1 / dot(query, keys).std(-1, keepdim=True))),
        Mistake(_SPREAD, _by(lambda query, keys: 1 / dot(query, keys).std((1, 2), keepdim=True))),
        Mistake(
            "The scores are divided by their own variance, so every score depends on all the "
            "others. √H is known beforehand.",
            _by(lambda query, keys: 1 / dot(query, keys).var()),
        ),
        Mistake(
            "These are the weights of the plain scores: divide by √H, and leave the softmax to "
            "whoever calls.",
            lambda query, keys: dot(query, keys).softmax(-1),
        ),
    ],
)
