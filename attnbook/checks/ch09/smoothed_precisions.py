"""Exercise 9.5: ``smoothed_precisions``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnbook.checks.ch09.shared import Numbers
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake
from attnlib.metrics import Real


def _counts_and_kind() -> Inputs:
    for smoothing in ("none", "floor", "add-k", "exp"):
        yield {"matches": [3, 1, 0, 0], "totals": [4, 3, 2, 1], "smoothing": smoothing}
        yield {"matches": [5, 0, 0, 0], "totals": [7, 6, 5, 4], "smoothing": smoothing}
        yield {"matches": [0, 0, 0, 0], "totals": [6, 5, 4, 3], "smoothing": smoothing}
    yield {"matches": [4, 3, 2, 1], "totals": [5, 4, 3, 2], "smoothing": "exp"}


def _smoothed(
    matches: Numbers,
    totals: Numbers,
    smoothing: str,
    *,
    halving: Callable[[int, int], Real] = lambda j, n: 0.5**j,
    floor: Callable[[Real], Real] = lambda total: 0.1 / total,
    first: int = 2,
    below: bool = True,
    nothing: bool = True,
) -> list[float]:
    """sacreBLEU's smoothing; the options are ways to get it wrong."""
    if nothing and not any(matches):
        return [0.0] * len(matches)
    found, zeros = [], 0
    for n, (match, total) in enumerate(zip(matches, totals), 1):
        if smoothing == "add-k" and n >= first:
            match, total = match + 1, total + below
        p = match / total
        if match == 0 and smoothing == "exp":
            zeros += 1
            p = halving(zeros, n) / total
        elif match == 0 and smoothing == "floor":
            p = floor(total)
        found.append(p)
    return found


def _variant(**options: Any) -> Callable[..., list[float]]:
    return lambda matches, totals, smoothing: _smoothed(matches, totals, smoothing, **options)


def _untouched(call: Call) -> str | None:
    given = {"matches": [4, 3, 2, 1], "totals": [5, 4, 3, 2]}
    for smoothing in ("none", "floor", "exp"):
        found = call(**given, smoothing=smoothing)
        if any(abs(p - m / t) > 1e-9 for p, m, t in zip(found, *given.values())):
            return f'"{smoothing}" changes a precision that is not 0. It has no need to.'
    return None


CHECK = Exercise(
    "smoothed_precisions",
    reference=lambda matches, totals, smoothing: _smoothed(matches, totals, smoothing),
    inputs=_counts_and_kind,
    rules={"none, floor and exp leave alone what is not 0": _untouched},
    mistakes=[
        Mistake(
            "exp gives ½ of a match to every order that is 0. The second such order gets ¼.",
            _variant(halving=lambda j, n: 0.5),
        ),
        Mistake(
            "exp halves by the order n. It halves once more for each order that is *0*: the first "
            "of them gets ½ of a match, whatever its n.",
            _variant(halving=lambda j, n: 0.5**n),
        ),
        Mistake(
            "exp puts ½, ¼, … in the place of the precision. It is that much of a *match*: divide "
            "by the total.",
            lambda matches, totals, smoothing: _undivided(matches, totals, smoothing),
        ),
        Mistake(
            "floor puts 0.1 in the place of the precision. It is a tenth of a *match*: divide by "
            "the total.",
            _variant(floor=lambda total: 0.1),
        ),
        Mistake(
            "add-k adds to the single words as well. It leaves n = 1 alone (Lin and Och 2004).",
            _variant(first=1),
        ),
        Mistake(
            "add-k adds 1 to the matches alone. To the total as well: a perfect order stays 1.",
            _variant(below=False),
        ),
        Mistake(
            "Where not even one word matches, there is nothing to smooth: all four are 0.",
            _variant(nothing=False),
        ),
        Mistake(
            "Nothing is smoothed: the argument smoothing has no effect.",
            lambda matches, totals, smoothing: [m / t for m, t in zip(matches, totals)],
        ),
    ],
)


def _undivided(matches: Numbers, totals: Numbers, smoothing: str) -> list[float]:
    found = _smoothed(matches, totals, smoothing)
    if smoothing != "exp" or not any(matches):
        return found
    return [p * t if m == 0 else p for p, m, t in zip(found, matches, totals)]
