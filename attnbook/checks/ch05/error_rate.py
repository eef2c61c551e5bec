"""Exercise 5.10: ``error_rate``."""

from __future__ import annotations

from typing import Any

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake


def _links() -> Inputs:
    yield {"found": {(0, 0), (1, 1)}, "sure": {(0, 0)}, "possible": {(0, 0)}}
    yield {"found": {(0, 0), (1, 1)}, "sure": {(0, 0)}, "possible": {(0, 0), (1, 1)}}
    yield {
        "found": {(0, 0), (1, 2), (2, 1)},
        "sure": {(0, 0), (1, 1), (2, 2)},
        "possible": {(0, 0), (1, 1), (2, 2), (1, 2)},
    }
    yield {
        "found": {(0, 0), (1, 2), (2, 1), (4, 3), (3, 4), (5, 5)},
        "sure": {(1, 2), (2, 1), (4, 3), (5, 4)},
        "possible": {(1, 2), (2, 1), (4, 3), (5, 4), (0, 0), (3, 3)},
    }
    yield {"found": {(1, 0)}, "sure": {(0, 0), (0, 1)}, "possible": {(0, 0), (0, 1), (1, 1)}}


Set = Any


def _error_rate(found: Set, sure: Set, possible: Set) -> float:
    return 1 - (len(found & sure) + len(found & possible)) / (len(found) + len(sure))


def _perfect(call: Call) -> str | None:
    rate = float(call(found=set(call.sure)))
    if abs(rate) < 1e-6:
        return None
    return f"When exactly the sure links are found, the error rate should be 0; it is {rate:.2f}."


def _forgiven(call: Call) -> str | None:
    extra = set(call.possible) - set(call.found)
    if not extra or float(call(found=set(call.found) | extra)) <= float(call.result) + 1e-6:
        return None
    return "Finding links that are possible makes the error rate larger. Which set forgives them?"


CHECK = Exercise(
    "error_rate",
    reference=_error_rate,
    inputs=_links,
    rules={
        "finding exactly the sure links is no error": _perfect,
        "a possible link is never held against you": _forgiven,
    },
    mistakes=[
        Mistake(
            "This is the share of what is right. An error rate is 1 minus it.",
            lambda found, sure, possible: 1 - _error_rate(found, sure, possible),
        ),
        Mistake(
            "The possible links are not used: a link that may be there counts as wrong.",
            lambda found, sure, possible: _error_rate(found, sure, sure),
        ),
        Mistake(
            "Every possible link is demanded here. Only the sure ones must be found; which set "
            "belongs into the denominator?",
            lambda found, sure, possible: (
                1 - (len(found & sure) + len(found & possible)) / (len(found) + len(possible))
            ),
        ),
        Mistake(
            "This is 1 minus precision: links that were not found cost nothing.",
            lambda found, sure, possible: 1 - len(found & possible) / len(found),
        ),
        Mistake(
            "This is 1 minus recall: links that are wrong cost nothing.",
            lambda found, sure, possible: 1 - len(found & sure) / len(sure),
        ),
        Mistake(
            "The denominator is the union of both sets. The formula counts |A| and |S| each.",
            lambda found, sure, possible: (
                1 - (len(found & sure) + len(found & possible)) / len(found | sure)
            ),
        ),
    ],
)
