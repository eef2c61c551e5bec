"""Exercise 6.1: ``dot_score``."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from attnbook.checks.ch06.shared import dot, own_key_only, query_and_keys
from attnbook.exercises import Call, Exercise, Mistake


def _dot_score(query: Tensor, keys: Tensor) -> Tensor:
    if query.shape[-1] != keys.shape[-1]:
        raise ValueError(
            f"query and keys must have the same size, got {query.shape[-1]} and {keys.shape[-1]}"
        )
    return dot(query, keys)


def _refuses(call: Call) -> str | None:
    wide = call.query.shape[-1]
    for size in (wide + 2, 1):
        problem: BaseException | None = None
        try:
            call(keys=torch.ones(*call.keys.shape[:2], size))
        except Exception as fault:
            problem = fault.__cause__  # the learner's; None where only the reference refused
        sizes = f"a query of {wide} numbers and keys of {size}"
        if problem is None:
            return f"It has an answer for {sizes}. There is none: raise a ValueError."
        if not isinstance(problem, ValueError):
            return (
                f"For {sizes} it raises {type(problem).__name__}, and the reader has to guess. "
                "Compare the sizes first, and raise a ValueError."
            )
        if not (str(wide) in str(problem) and str(size) in str(problem)):
            return (
                f"For {sizes} the ValueError says “{problem}”. Name both sizes, so that the "
                "reader need not look for them."
            )
    return None


CHECK = Exercise(
    "dot_score",
    reference=_dot_score,
    inputs=lambda: query_and_keys(1),
    rules={
        "a score depends on its own key only": own_key_only,
        "unequal sizes are refused with a ValueError that names both": _refuses,
    },
    mistakes=[
        Mistake(
            "Rows are keys and columns are queries here: query t belongs in row t.",
            lambda query, keys: keys @ query.transpose(1, 2),
        ),
        Mistake(
            "These are weights: a score is what goes into the softmax.",
            lambda query, keys: dot(query, keys).softmax(-1),
        ),
        Mistake(
            "This is the cosine: the lengths have been divided away. A dot product keeps them.",
            lambda query, keys: dot(F.normalize(query, dim=-1), F.normalize(keys, dim=-1)),
        ),
        Mistake(
            "This is the scaled score. Here nothing is divided yet.",
            lambda query, keys: dot(query, keys) / query.shape[-1] ** 0.5,
        ),
        Mistake(
            "This is a mean of products, a dot product is their sum.",
            lambda query, keys: (query.unsqueeze(2) * keys.unsqueeze(1)).mean(-1),
        ),
    ],
)
