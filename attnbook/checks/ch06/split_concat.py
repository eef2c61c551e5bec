"""Exercise 6.4: ``split_concat``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake
from attnbook.exercises.values import shown


def _to_split() -> Inputs:
    yield {"weight": torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), "query_size": 1}
    make = normal(4)
    yield {"weight": make(5, 4), "query_size": 2}
    yield {"weight": make(4, 7), "query_size": 4}
    yield {"weight": make(3, 8), "query_size": 2}
    yield {"weight": make(2, 6), "query_size": 5}


def _same_sum(call: Call) -> str | None:
    """The promise itself: W_1 s + W_2 h = W_a [s ; h]."""
    both = torch.arange(1.0, call.weight.shape[1] + 1)
    s, h = both[: call.query_size], both[call.query_size :]
    first, second = call.result
    ours, wanted = first @ s + second @ h, call.weight @ both
    if torch.allclose(ours, wanted, rtol=1e-4, atol=1e-4):
        return None
    return (
        f"For s = {shown(s)} and h = {shown(h)}, W_1 s + W_2 h is {shown(ours)}, and W_a [s ; h] "
        f"is {shown(wanted)}: which columns does s meet?"
    )


Split = Callable[[Tensor, int], "tuple[Tensor, Tensor]"]


def _at(start: Callable[[int], int], end: Callable[[int], int]) -> Split:
    """The first part ends at ``start``, the second begins at ``end``."""
    return lambda weight, query_size: (weight[:, : start(query_size)], weight[:, end(query_size) :])


_MIDDLE = (
    "W_a is cut in the middle. Query and keys may have different sizes: cut where the query ends."
)
_PLACE = (
    "The cut is not where the query ends: the query has query_size columns, the key all others."
)

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
            "The query's columns are taken from the right. In [s ; h] the query stands first: its "
            "columns are on the left.",
            lambda weight, query_size: (weight[:, -query_size:], weight[:, :-query_size]),
        ),
        Mistake(
            "The two are exchanged, and the query's columns are taken from the right. In [s ; h] "
            "the query stands first.",
            lambda weight, query_size: (weight[:, :-query_size], weight[:, -query_size:]),
        ),
        Mistake(_MIDDLE, lambda weight, query_size: tuple(weight.chunk(2, dim=1))),
        Mistake(_MIDDLE, lambda weight, query_size: _at(_half(weight), _half(weight))(weight, 0)),
        Mistake(
            "The rows are cut. A row of W_a is one hidden number and reads all of [s ; h]; the "
            "columns belong to the query or the key.",
            lambda weight, query_size: (weight[:query_size], weight[query_size:]),
        ),
        Mistake(
            "The rows are cut, and in the middle. A row of W_a is one hidden number and reads all "
            "of [s ; h]; the columns belong to the query or the key.",
            lambda weight, query_size: tuple(weight.chunk(2, dim=0)),
        ),
        Mistake(
            "Both are transposed: W_1 s needs a row for each hidden number, as W_a has.",
            lambda weight, query_size: (weight[:, :query_size].T, weight[:, query_size:].T),
        ),
        Mistake(
            "The second is transposed: W_2 h needs a row for each hidden number, as W_a has.",
            lambda weight, query_size: (weight[:, :query_size], weight[:, query_size:].T),
        ),
        Mistake(
            "The second starts one column too late: indices count from 0, so that :n and n: "
            "meet without a gap.",
            _at(lambda n: n, lambda n: n + 1),
        ),
        Mistake(
            "The second starts one column too early: n: begins with column n, and :n ends "
            "before it.",
            _at(lambda n: n, lambda n: n - 1),
        ),
        Mistake(
            "The first ends one column too late: :n are the first n columns, and column n "
            "belongs to the second alone.",
            _at(lambda n: n + 1, lambda n: n),
        ),
        Mistake(
            "The first ends one column too early: :n are the first n columns, 0 to n − 1.",
            _at(lambda n: n - 1, lambda n: n),
        ),
        Mistake(_PLACE, _at(lambda n: n + 1, lambda n: n + 1)),
        Mistake(_PLACE, _at(lambda n: n - 1, lambda n: n - 1)),
        Mistake(
            "The second takes as many columns as the query has. A key may be longer or shorter: "
            "take all that are left.",
            lambda weight, query_size: (weight[:, :query_size], weight[:, -query_size:]),
        ),
        Mistake(
            "The second takes no more columns than the query has. A key may be longer: take all "
            "that are left.",
            lambda weight, query_size: (
                weight[:, :query_size],
                weight[:, query_size : 2 * query_size],
            ),
        ),
        Mistake(
            "The columns are taken in turn. In [s ; h] all numbers of the query come first, then "
            "all of the key.",
            lambda weight, query_size: (weight[:, ::2], weight[:, 1::2]),
        ),
        Mistake(
            "The second is the whole of W_a. W_2 has the columns that are left when the query's "
            "are gone.",
            lambda weight, query_size: (weight[:, :query_size], weight),
        ),
        Mistake(
            "The columns of a part are in the opposite order: each number of s and h has its own.",
            lambda weight, query_size: (
                weight[:, :query_size],
                weight[:, query_size:].flip(1),
            ),
        ),
    ],
)


def _half(weight: Tensor) -> Callable[[int], int]:
    return lambda _: weight.shape[1] // 2
