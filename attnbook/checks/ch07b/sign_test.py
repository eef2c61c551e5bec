"""Exercise 7.6: ``sign_test``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake


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
    return f"With {better} and {worse}: {cases}; p is {call.expected:.4g}, not {call.result:.4g}."


def _both_sides(call: Call) -> str | None:
    found, other = call.uncompared(better=8, worse=2), call.uncompared(better=2, worse=8)
    if abs(found - other) < 1e-9:
        return None
    return (
        f"8 and 2 give {found:.3g}, 2 and 8 give {other:.3g}. Two-sided: which of the two "
        "trainings is called the better one must not matter."
    )


def _at_most_one(call: Call) -> str | None:
    for split in ((5, 5), (1, 1), (0, 0)):
        problem = call.error(better=split[0], worse=split[1])
        if problem is not None:
            return f"With {split[0]} and {split[1]} it raises an error; p is 1."
        found = call(better=split[0], worse=split[1])
        if abs(found - 1) > 1e-9:
            return (
                f"With {split[0]} and {split[1]} any split is as uneven: p is 1, not {found:.4g}."
            )
    return None


Split = Callable[[int, int], Any]


def _tail(better: int, worse: int) -> int:
    count = better + worse
    return sum(math.comb(count, k) for k in range(max(better, worse), count + 1))


def _from_better(b: int, w: int) -> float:
    """The tail from the first count up, doubled."""
    return 2 * sum(math.comb(b + w, k) for k in range(b, b + w + 1)) / 2 ** (b + w)


def _normal(b: int, w: int) -> float:
    return math.erfc(abs(b - w) / math.sqrt(2 * (b + w))) if b + w else 1.0


def _corrected(b: int, w: int) -> float:
    return math.erfc(max(0, abs(b - w) - 1) / math.sqrt(2 * (b + w))) if b + w else 1.0


_ONE_SIDE = (
    "This is one-sided: the probability of so many on *this* side. As uneven a split on the other "
    "side counts, too."
)
_FIRST = (
    "The sum begins at `better`, also where `worse` is the larger count. Begin at the larger of "
    "the two."
)
_ALONE = (
    "This is the probability of exactly this split. The more uneven ones belong to it: sum from "
    "the larger count up to n."
)
_ABOVE = (
    "An even split gives more than 1: it is counted from both sides. What is at most 1 is the "
    "doubled sum, min(1, 2 · …)."
)
_BEYOND = "This counts only splits *more* uneven than this one. At least as uneven: begin at it."
_SHORT = "The sum ends before n: all coins on one side is the most uneven split of all."
_ORDER = (
    "This is the probability of one order of the coins. Many orders have so many heads: "
    "math.comb(n, k) counts them."
)
_CASES = "These are cases. Divided by 2ⁿ, 2**n in Python, they are a probability."
_NORMAL = (
    "This is the normal approximation. With so few coins it is off; the sum of binomials is exact."
)

_SPLITS: list[tuple[str, Split]] = [
    (_ONE_SIDE, lambda b, w: _tail(b, w) / 2 ** (b + w)),
    (_ONE_SIDE, lambda b, w: _from_better(b, w) / 2),
    (_FIRST, lambda b, w: min(1.0, _from_better(b, w))),
    (_FIRST, _from_better),
    (
        "This is 1 for every split, so the sum is too large. Does it go from the larger of the two "
        "counts up to n, and are its terms math.comb(n, k)?",
        lambda b, w: min(
            1.0,
            2 * sum(math.comb(b + w, k) for k in range(min(b, w), b + w + 1)) / 2 ** (b + w),
        ),
    ),
    (_ALONE, lambda b, w: math.comb(b + w, b) / 2 ** (b + w)),
    (_ALONE, lambda b, w: 2 * math.comb(b + w, b) / 2 ** (b + w)),
    (_ALONE, lambda b, w: min(1.0, 2 * math.comb(b + w, b) / 2 ** (b + w))),
    (_ABOVE, lambda b, w: 2 * _tail(b, w) / 2 ** (b + w)),
    (
        _BEYOND,
        lambda b, w: min(1.0, 2 * (_tail(b, w) - math.comb(b + w, b)) / 2 ** (b + w)),
    ),
    (_BEYOND, lambda b, w: 2 * (_tail(b, w) - math.comb(b + w, b)) / 2 ** (b + w)),
    (_SHORT, lambda b, w: min(1.0, 2 * (_tail(b, w) - 1) / 2 ** (b + w))),
    (_SHORT, lambda b, w: 2 * (_tail(b, w) - 1) / 2 ** (b + w)),
    (
        "This is the probability that luck does *less*: 1 − p. Small is p where luck hardly does "
        "as much.",
        lambda b, w: 1 - min(1.0, 2 * _tail(b, w) / 2 ** (b + w)),
    ),
    (
        "This is four times the tail over 2ⁿ: the two sides were doubled twice, or 2ⁿ⁻¹ stands "
        "below the line.",
        lambda b, w: min(1.0, 4 * _tail(b, w) / 2 ** (b + w)),
    ),
    (
        "This is in percent. A probability is between 0 and 1.",
        lambda b, w: 100 * min(1.0, 2 * _tail(b, w) / 2 ** (b + w)),
    ),
    (
        "This is the share of the larger count. How often would fair coins do as much?",
        lambda b, w: max(b, w) / (b + w),
    ),
    (
        "This is the share of seeds that are better. How often would fair coins do as much?",
        lambda b, w: b / (b + w),
    ),
    (_ORDER, lambda b, w: 2 / 2 ** (b + w)),
    (_ORDER, lambda b, w: min(1.0, 2 / 2 ** (b + w))),
    (_CASES, lambda b, w: 2 * _tail(b, w)),
    (_CASES, _tail),
    (
        "2 ^ n is an exclusive or in Python. The power is 2**n.",
        lambda b, w: min(1.0, 2 * _tail(b, w) / (2 ^ (b + w))),
    ),
    (
        "This is rounded to 3 decimals. The number itself is asked for; who prints it, rounds.",
        lambda b, w: round(min(1.0, 2 * _tail(b, w) / 2 ** (b + w)), 3),
    ),
    (
        "// cuts off everything behind the point. A probability is divided by /.",
        lambda b, w: min(1, 2 * _tail(b, w) // 2 ** (b + w)),
    ),
    (
        "Here are always ten seeds. Their number is better + worse.",
        lambda b, w: min(1.0, 2 * sum(math.comb(10, k) for k in range(max(b, w), 11)) / 2**10),
    ),
    (
        "The number of coins is the larger count here. It is better + worse.",
        lambda b, w: min(1.0, 2 / 2 ** max(b, w)),
    ),
    (
        "The sum begins at the difference of the two counts. It begins at the larger of them.",
        lambda b, w: min(
            1.0, 2 * sum(math.comb(b + w, k) for k in range(abs(b - w), b + w + 1)) / 2 ** (b + w)
        ),
    ),
    (
        "Of this very split only half is counted. At least as uneven: it counts whole.",
        lambda b, w: min(1.0, (2 * _tail(b, w) - math.comb(b + w, b)) / 2 ** (b + w)),
    ),
    (
        "One case more is counted than there are. All 2ⁿ are known here, and none is drawn.",
        lambda b, w: min(1.0, (1 + 2 * _tail(b, w)) / (1 + 2 ** (b + w))),
    ),
    (
        "An even split gives less than 1: its middle is taken away twice. Any split is at least as "
        "uneven.",
        lambda b, w: 2 * (_tail(b, w) - (b == w) * math.comb(b + w, b)) / 2 ** (b + w),
    ),
    (
        "This is a quarter of p: to count both sides the tail is *doubled*, over 2ⁿ.",
        lambda b, w: min(1.0, _tail(b, w) / 2 ** (b + w + 1)),
    ),
    (
        "p is never below 1 here. Not above 1: that is min(1, …).",
        lambda b, w: max(1.0, 2 * _tail(b, w) / 2 ** (b + w)),
    ),
    (
        "This says whether p is small. p itself is asked for.",
        lambda b, w: min(1.0, 2 * _tail(b, w) / 2 ** (b + w)) <= 0.05,
    ),
    (_NORMAL, _normal),
    (_NORMAL, _corrected),
]


def _of(split: Split) -> Callable[..., Any]:
    return lambda better, worse: split(better, worse)


MISTAKES: list[Mistake] = [(told, _of(split)) for told, split in _SPLITS]

CHECK = Exercise(
    "sign_test",
    reference=sign_test,
    inputs=_splits,
    rules={
        "both sides count": _both_sides,
        "p is 1 where the split is even, or no seed is left": _at_most_one,
        "p counts the splits that are at least as uneven": _exact,
    },
    mistakes=MISTAKES,
    tolerance=1e-9,
)
