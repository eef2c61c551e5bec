"""Exercise 6.5: ``score_parameters``."""

from __future__ import annotations

from collections.abc import Callable

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake


def _sizes() -> Inputs:
    for kind in ("dot", "scaled_dot", "general", "concat", "additive"):
        yield {"kind": kind, "query_size": 2, "key_size": 2, "hidden_size": 3}
    for kind in ("general", "concat", "additive"):
        yield {"kind": kind, "query_size": 5, "key_size": 7, "hidden_size": 4}


def _count(inner: Callable[[int, int, int], int], product: bool = True) -> Callable[..., int]:
    def count(kind: str, query_size: int, key_size: int, hidden_size: int) -> int:
        if kind in ("dot", "scaled_dot"):
            return 0
        if kind == "general":
            return query_size * key_size if product else query_size + key_size
        return inner(query_size, key_size, hidden_size)

    return count


_parameters = _count(lambda q, k, a: a * (q + k) + a)


def _dot_for_free(call: Call) -> str | None:
    if call.kind not in ("dot", "scaled_dot") or int(call.result) == 0:
        return None
    return f"A dot product has nothing to learn, and you count {int(call.result)}. What is learnt?"


CHECK = Exercise(
    "score_parameters",
    reference=_parameters,
    inputs=_sizes,
    rules={"a dot product has none": _dot_for_free},
    mistakes=[
        Mistake(
            "The vector v is missing: it is learnt as well, one number for each hidden number.",
            _count(lambda q, k, a: a * (q + k)),
        ),
        Mistake(
            "W_a of general has a row for each number of the query and a column for each of a "
            "key: rows times columns, not rows plus columns.",
            _count(lambda q, k, a: a * (q + k) + a, product=False),
        ),
        Mistake(
            "[s ; h] is query_size + key_size long, not their product: one vector is put behind "
            "the other.",
            _count(lambda q, k, a: a * (q * k) + a),
        ),
        Mistake(
            "There is a bias too many: neither paper's formula has one, nor has attnlib.",
            _count(lambda q, k, a: a * (q + k) + 2 * a),
        ),
        Mistake(
            "Concat and additive are counted for query and key of the same size. Which size does "
            "each part have?",
            _count(lambda q, k, a: 2 * a * q + a),
        ),
    ],
)
