"""Exercise 7.5: ``sign_test``."""

import math

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
    cases = (
        f"{ways} of {2**count} cases have {most} heads or more, and equally many {most} tails or "
        "more"
    )
    return (
        f"With {better} and {worse}, {cases}, so p (at most 1) is {call.expected:.4g}. You return "
        f"{call.result:.4g}, which would be {call.result * 2**count:.4g} cases."
    )


def _at_least(first: int, count: int) -> float:
    """The probability of ``first`` heads or more of so many coins."""
    return sum(math.comb(count, k) for k in range(first, count + 1)) / 2**count


def _normal(better: int, worse: int, less: int = 0) -> float:
    count = better + worse
    gap = max(0, abs(better - worse) - less)
    return math.erfc(gap / math.sqrt(2 * count)) if count else 1.0


_NORMAL = (
    "This is the normal approximation. With so few coins it is off; the sum of binomials is exact."
)

CHECK = Exercise(
    sign_test,
    inputs=_splits,
    rules={
        "p counts the splits that are at least as uneven": _exact,
    },
    mistakes={
        "This counts only splits *more* uneven than this one. Those at least as uneven count: "
        "begin at this one.": (
            lambda better, worse: 2 * _at_least(max(better, worse) + 1, better + worse)
        ),
        "The sum begins at `better`, even where `worse` is the larger count. Begin at the larger "
        "of the two.": (lambda better, worse: min(1.0, 2 * _at_least(better, better + worse))),
        "This is the probability of exactly this split. The more uneven ones also count: sum from "
        "the larger count up to n.": (
            lambda better, worse: min(
                1.0, 2 * math.comb(better + worse, better) / 2 ** (better + worse)
            )
        ),
        "This is one-sided: the probability of so many on *this* side. An equally uneven split on "
        "the other side also counts.": (
            lambda better, worse: _at_least(max(better, worse), better + worse)
        ),
        "This is 1 for every split, so the sum is too large. Does it go from the larger of the "
        "two counts up to n, and are its terms math.comb(n, k)?": (
            lambda better, worse: min(1.0, 2 * _at_least(min(better, worse), better + worse))
        ),
        "An even split gives more than 1, because it is counted from both sides. Limit the "
        "doubled sum to 1: min(1, 2 · …).": (
            lambda better, worse: 2 * _at_least(max(better, worse), better + worse)
        ),
        "You always count ten seeds. Their number is better + worse.": (
            lambda better, worse: min(1.0, 2 * _at_least(max(better, worse), 10))
        ),
        _NORMAL: [_normal, (lambda better, worse: _normal(better, worse, less=1))],
    },
    tolerance=1e-9,
)
