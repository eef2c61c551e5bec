"""Exercise 6.4: ``split_concat``."""

from __future__ import annotations

import torch

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _to_split() -> Inputs:
    yield {"weight": torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), "query_size": 1}
    make = normal(4)
    yield {"weight": make(5, 4), "query_size": 2}
    yield {"weight": make(4, 7), "query_size": 4}


def _same_sum(call: Call) -> str | None:
    """The promise itself: W_1 s + W_2 h = W_a [s ; h]."""
    both = torch.arange(1.0, call.weight.shape[1] + 1)
    s, h = both[: call.query_size], both[call.query_size :]
    first, second = call.result
    if torch.allclose(first @ s + second @ h, call.weight @ both, rtol=1e-4, atol=1e-4):
        return None
    return "For one query s and one key h, W_1 s + W_2 h is not W_a [s ; h]."


CHECK = Exercise(
    "split_concat",
    reference=lambda weight, query_size: (weight[:, :query_size], weight[:, query_size:]),
    inputs=_to_split,
    rules={"W_1 s + W_2 h is W_a [s ; h]": _same_sum},
    mistakes=[
        Mistake(
            "The two are exchanged: in [s ; h] the query stands first, so its columns are on the "
            "left.",
            lambda weight, query_size: (weight[:, query_size:], weight[:, :query_size]),
        ),
        Mistake(
            "W_a is cut in the middle. Query and keys may have different sizes: cut where the "
            "query ends.",
            lambda weight, query_size: tuple(weight.chunk(2, dim=1)),
        ),
        Mistake(
            "The rows are cut. A row of W_a is one hidden number and reads all of [s ; h]; the "
            "columns belong to the query or the key.",
            lambda weight, query_size: (weight[:query_size], weight[query_size:]),
        ),
        Mistake(
            "Both are transposed: W_1 s needs a row for each hidden number, as W_a has.",
            lambda weight, query_size: (weight[:, :query_size].T, weight[:, query_size:].T),
        ),
        Mistake(
            "The second starts one column too late: indices count from 0, so that :n and n: "
            "meet without a gap.",
            lambda weight, query_size: (weight[:, :query_size], weight[:, query_size + 1 :]),
        ),
        Mistake(
            "The second takes as many columns as the query has. A key may be longer or shorter: "
            "take all that are left.",
            lambda weight, query_size: (weight[:, :query_size], weight[:, -query_size:]),
        ),
        Mistake(
            "The columns are taken in turn. In [s ; h] all numbers of the query come first, then "
            "all of the key.",
            lambda weight, query_size: (weight[:, ::2], weight[:, 1::2]),
        ),
    ],
)
