"""Exercise 6.5: ``score_parameters``."""

from __future__ import annotations

from collections.abc import Callable

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake

KINDS = ("dot", "scaled_dot", "general", "concat", "additive")


def _sizes() -> Inputs:
    for kind in KINDS:
        yield {"kind": kind, "query_size": 2, "key_size": 2, "hidden_size": 3}
    for sizes in ((5, 7, 4), (11, 3, 2)):
        for kind in KINDS[2:]:
            yield dict(zip(("kind", "query_size", "key_size", "hidden_size"), (kind, *sizes)))


Count = Callable[[int, int, int], int]


def _general(q: int, k: int, a: int) -> int:
    return q * k


def _hidden(q: int, k: int, a: int) -> int:
    return a * (q + k) + a


def _none(q: int, k: int, a: int) -> int:
    return 0


def _count(
    general: Count = _general,
    concat: Count = _hidden,
    additive: Count | None = None,
    dot: Count = _none,
    scaled: Count = _none,
) -> Callable[..., int]:
    counts = dict(zip(KINDS, (dot, scaled, general, concat, additive or concat)))

    def count(kind: str, query_size: int, key_size: int, hidden_size: int) -> int:
        return counts[kind](query_size, key_size, hidden_size)

    return count


def _dot_for_free(call: Call) -> str | None:
    if call.kind not in ("dot", "scaled_dot") or int(call.result) == 0:
        return None
    return f"A dot product has nothing to learn, and you count {int(call.result)}. What is learnt?"


def _matrix_between(call: Call) -> str | None:
    if call.kind != "general":
        return None
    if (more := int(call(hidden_size=call.hidden_size + 1)) - int(call.result)) != 0:
        return (
            f"One more hidden number changes the count of general by {more}. It has no hidden "
            "layer: W_a lies between query and key."
        )
    more = int(call(query_size=call.query_size + 1)) - int(call.result)
    if more == call.key_size:
        return None
    return (
        f"One more number in the query adds {more} to the count of general. W_a gets one row more, "
        f"of {call.key_size} numbers: one for each number of a key."
    )


def _agree(call: Call) -> str | None:
    if call.kind not in ("concat", "additive"):
        return None
    counts = [int(call(kind=kind)) for kind in ("concat", "additive")]
    if counts[0] == counts[1]:
        return None
    return (
        f"Concat has {counts[0]} parameters here and additive {counts[1]}. They are one score, cut "
        "in two: a column for each number of the query and of the key, and one v."
    )


def _rows(call: Call) -> str | None:
    if call.kind not in ("concat", "additive"):
        return None
    more = int(call(hidden_size=call.hidden_size + 1)) - int(call.result)
    wanted = call.query_size + call.key_size + 1
    if more == wanted:
        return None
    return (
        f"One more hidden number adds {more} to the count. It needs {call.query_size} numbers for "
        f"the query, {call.key_size} for the key and 1 in v: {wanted}."
    )


_V = "The vector v is missing: it is learnt as well, one number for each hidden number."
_BIAS = "There is a bias too many: neither paper's formula has one, nor has attnlib."
_PRODUCT = (
    "[s ; h] is query_size + key_size long, not their product: one vector is put behind the other."
)
_SAME = "It is counted for query and key of the same size. Which size does each part have?"
_ONE = "v is counted as one number. It has one for each hidden number."
_LONG = (
    "v is counted as one number for each of [s ; h]. It weighs the hidden numbers: one for each."
)
_ONCE = "[s ; h] holds a query and a key: the matrix inside has columns for both."
_GENERAL: list[tuple[str, Count]] = [
    (
        "W_a of general has a row for each number of the query and a column for each of a key: "
        "rows times columns, not rows plus columns.",
        lambda q, k, a: q + k,
    ),
    (
        "General is counted as if the key were as long as the query: W_a has a row for each "
        "number of the query and a column for each of a key.",
        lambda q, k, a: q * q,
    ),
    (
        "General is counted as if the query were as long as the key: W_a has a row for each "
        "number of the query and a column for each of a key.",
        lambda q, k, a: k * k,
    ),
    (
        "General is given a hidden layer. It has none: W_a lies between query and key, query_size "
        "rows times key_size columns.",
        lambda q, k, a: a * (q + k),
    ),
    (
        "General is given a hidden layer. It has none: W_a lies between query and key, query_size "
        "rows times key_size columns.",
        _hidden,
    ),
    (
        "General is given a factor of the hidden size. It has no hidden layer: W_a lies between "
        "query and key.",
        lambda q, k, a: a * q * k,
    ),
    (
        "General is given a bias. Its formula has none: W_a is all that is learnt.",
        lambda q, k, a: q * k + k,
    ),
    (
        "General is given a bias. Its formula has none: W_a is all that is learnt.",
        lambda q, k, a: q * k + q,
    ),
    (
        "General is given a bias. Its formula has none: W_a is all that is learnt.",
        lambda q, k, a: q * k + 1,
    ),
    (
        "General is given a vector v. Only concat and additive have one: W_a is all that is "
        "learnt.",
        lambda q, k, a: q * k + a,
    ),
    (
        "General learns something: the matrix W_a.",
        _none,
    ),
]
_HIDDEN: list[tuple[str, Count]] = [
    (_V, lambda q, k, a: a * (q + k)),
    (_BIAS, lambda q, k, a: a * (q + k) + 2 * a),
    (_BIAS, lambda q, k, a: a * (q + k) + 3 * a),
    (_BIAS, lambda q, k, a: a * (q + k) + a + 1),
    (_BIAS, lambda q, k, a: a * (q + k) + 2 * a + 1),
    (_ONE, lambda q, k, a: a * (q + k) + 1),
    (_LONG, lambda q, k, a: a * (q + k) + q + k),
    (_PRODUCT, lambda q, k, a: a * (q * k) + a),
    (_SAME, lambda q, k, a: 2 * a * q + a),
    (_SAME, lambda q, k, a: 2 * a * k + a),
    (_ONCE, lambda q, k, a: a * q + a),
    (_ONCE, lambda q, k, a: a * k + a),
]


def _family() -> list[Mistake]:
    """One count wrong, or that of general and that of the two others by the same thought."""
    found = [Mistake(sentence, _count(general)) for sentence, general in _GENERAL]
    found += [Mistake(sentence, _count(concat=hidden)) for sentence, hidden in _HIDDEN]
    both: list[tuple[str, Count, Count]] = [
        (_BIAS, lambda q, k, a: q * k + k, lambda q, k, a: a * (q + k) + 2 * a),
        (_BIAS, lambda q, k, a: q * k + 1, lambda q, k, a: a * (q + k) + a + 1),
        (_SAME, lambda q, k, a: q * q, lambda q, k, a: 2 * a * q + a),
        (_SAME, lambda q, k, a: k * k, lambda q, k, a: 2 * a * k + a),
    ]
    return found + [Mistake(sentence, _count(one, other)) for sentence, one, other in both]


CHECK = Exercise(
    "score_parameters",
    reference=_count(),
    inputs=_sizes,
    rules={
        "a dot product has none": _dot_for_free,
        "general has a row for each number of the query": _matrix_between,
        "concat and additive have as many": _agree,
        "a hidden number costs one number for each of query, key and v": _rows,
    },
    mistakes=[
        *_family(),
        Mistake(
            "The scale of scaled_dot is counted. √H is known beforehand, nothing is learnt.",
            _count(scaled=lambda q, k, a: 1),
        ),
    ],
)
