"""Exercise 6.6: ``scaled_score``."""

from __future__ import annotations

from torch.nn import functional as F

from attnbook.checks.ch06.shared import dot, own_key_only, query_and_keys
from attnbook.checks.shared import normal
from attnbook.exercises import Call, Exercise, Mistake


def _keeps_variance(call: Call) -> str | None:
    make = normal(6)
    size = call.query.shape[-1]
    variance = float(call(query=make(1, 400, size), keys=make(1, 400, size)).var())
    if 0.8 < variance < 1.25:
        return None
    return (
        f"For random vectors of {size} numbers of variance 1 the scores have variance "
        f"{variance:.2f}. It should be about 1: the variance grows {size}-fold, so what undoes it?"
    )


CHECK = Exercise(
    "scaled_score",
    reference=lambda query, keys: dot(query, keys) / query.shape[-1] ** 0.5,
    inputs=lambda: query_and_keys(7),
    rules={
        "a score depends on its own key only": own_key_only,
        "numbers of variance 1 give scores of variance 1": _keeps_variance,
    },
    mistakes=[
        Mistake("Nothing has been divided: this is the plain dot product.", dot),
        Mistake(
            "The scores are divided by the size itself. The size is the *variance* of the sum; "
            "a variance is a square.",
            lambda query, keys: dot(query, keys) / query.shape[-1],
        ),
        Mistake(
            "They are divided by the root of the number of keys. How many products does one "
            "score sum up?",
            lambda query, keys: dot(query, keys) / keys.shape[1] ** 0.5,
        ),
        Mistake(
            "They are multiplied by the root: that makes large scores larger still.",
            lambda query, keys: dot(query, keys) * query.shape[-1] ** 0.5,
        ),
        Mistake(
            "Each score is divided by the lengths of its two vectors: that is the cosine. √H is "
            "one number, the same for all scores.",
            lambda query, keys: dot(F.normalize(query, dim=-1), F.normalize(keys, dim=-1)),
        ),
        Mistake(
            "The scores are divided by their own standard deviation, so every score depends on "
            "all the others. √H is known beforehand.",
            lambda query, keys: dot(query, keys) / dot(query, keys).std(),
        ),
        Mistake(
            "These are weights: a score is what goes into the softmax.",
            lambda query, keys: (dot(query, keys) / query.shape[-1] ** 0.5).softmax(-1),
        ),
    ],
)
