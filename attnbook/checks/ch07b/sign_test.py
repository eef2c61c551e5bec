"""Exercise 7.6: ``sign_test``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise


def sign_test(better: int, worse: int) -> float:
    """Two-sided p of so uneven a split of fair coins; two whole numbers → a number."""
    count = better + worse
    tail = sum(math.comb(count, k) for k in range(max(better, worse), count + 1))
    return min(1.0, 2 * tail / 2**count)


def _splits() -> Inputs:
    pairs = [(1, 0), (0, 0), (0, 1), (1, 1), (2, 1), (10, 0), (9, 1), (2, 8), (8, 2), (5, 5)]
    for better, worse in (*pairs, (6, 4), (0, 5), (3, 9), (14, 6)):
        yield {"better": better, "worse": worse}


def _exact(call: Call) -> str | None:
    if abs(call.result - call.expected) < 1e-9:
        return None
    better, worse = call.better, call.worse
    count, most = better + worse, max(better, worse)
    ways = sum(math.comb(count, k) for k in range(most, count + 1))
    cases = f"{ways} of {2**count} cases have {most} heads or more, and as many have as few"
    return (
        f"With {better} and {worse}: {cases}; p is {call.expected:.4g}, not {call.result:.4g}, "
        f"which would be {call.result * 2**count:.4g} cases."
    )


def _at_most_one(call: Call) -> str | None:
    for split in ((5, 5), (1, 1), (0, 0)):
        problem = call.error(better=split[0], worse=split[1])
        if problem is not None:
            kind = type(problem).__name__
            return f"With {split[0]} and {split[1]} it raises {kind}: {problem}; p is 1."
        p = call(better=split[0], worse=split[1])
        if abs(p - 1) > 1e-9:
            return f"With {split[0]} and {split[1]} any split is as uneven: p is 1, not {p:.4g}."
    return None


def _tail(better: int, worse: int, start: int | None = None) -> int:
    """How many cases have at least ``start`` heads, or else as many as the larger count."""
    count = better + worse
    first = max(better, worse) if start is None else start
    return sum(math.comb(count, k) for k in range(first, count + 1))


def _normal(b: int, w: int, less: int = 0) -> float:
    return math.erfc(max(0, abs(b - w) - less) / math.sqrt(2 * (b + w))) if b + w else 1.0


Split = Callable[[int, int], Any]
#: Other numbers of cases than twice the tail: divided by 2ⁿ, and at most 1, or not.
_CASES: list[tuple[str, Split]] = [
    (
        "The sum begins at `better`, also where `worse` is the larger count. Begin at the larger "
        "of the two.",
        lambda b, w: 2 * _tail(b, w, start=b),
    ),
    (
        "This is the probability of exactly this split. The more uneven ones belong to it: sum "
        "from the larger count up to n.",
        lambda b, w: 2 * math.comb(b + w, b),
    ),
    (
        "This counts only splits *more* uneven than this one. At least as uneven: begin at it.",
        lambda b, w: 2 * (_tail(b, w) - math.comb(b + w, b)),
    ),
    (
        "The sum ends before n: all coins on one side is the most uneven split of all.",
        lambda b, w: 2 * (_tail(b, w) - 1),
    ),
]
_ONE_SIDE = (
    "This is one-sided: the probability of so many on *this* side. As uneven a split on the other "
    "side counts, too."
)
_NORMAL = (
    "This is the normal approximation. With so few coins it is off; the sum of binomials is exact."
)
_SPLITS: list[tuple[str, Split]] = [
    *((diagnosis, lambda b, w, of=of: of(b, w) / 2 ** (b + w)) for diagnosis, of in _CASES),
    *(
        (diagnosis, lambda b, w, of=of: min(1.0, of(b, w) / 2 ** (b + w)))
        for diagnosis, of in _CASES
    ),
    (_ONE_SIDE, lambda b, w: _tail(b, w) / 2 ** (b + w)),
    (_ONE_SIDE, lambda b, w: _tail(b, w, start=b) / 2 ** (b + w)),
    (_CASES[1][0], lambda b, w: math.comb(b + w, b) / 2 ** (b + w)),
    (
        "This is 1 for every split, so the sum is too large. Does it go from the larger of the two "
        "counts up to n, and are its terms math.comb(n, k)?",
        lambda b, w: min(1.0, 2 * _tail(b, w, start=min(b, w)) / 2 ** (b + w)),
    ),
    (
        "An even split gives more than 1: it is counted from both sides. What is at most 1 is the "
        "doubled sum, min(1, 2 · …).",
        lambda b, w: 2 * _tail(b, w) / 2 ** (b + w),
    ),
    (
        "Here are always ten seeds. Their number is better + worse.",
        lambda b, w: min(1.0, 2 * sum(math.comb(10, k) for k in range(max(b, w), 11)) / 2**10),
    ),
    (_NORMAL, _normal),
    (_NORMAL, lambda b, w: _normal(b, w, less=1)),
]


def _of(split: Split) -> Callable[..., Any]:
    return lambda better, worse: split(better, worse)


CHECK = Exercise(
    "sign_test",
    reference=sign_test,
    inputs=_splits,
    rules={
        "p is 1 where the split is even, or no seed is left": _at_most_one,
        "p counts the splits that are at least as uneven": _exact,
    },
    mistakes=[(diagnosis, _of(split)) for diagnosis, split in _SPLITS],
    tolerance=1e-9,
)
