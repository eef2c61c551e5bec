"""Exercise 9.3: ``brevity_penalty``."""

from __future__ import annotations

import math
from typing import Any

from attnbook.checks.ch09.shared import unlike
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake
from attnbook.exercises.trial import sentence


def brevity_penalty(hypothesis_length: int, reference_length: int) -> float:
    """BP of a hypothesis of c tokens, reference r tokens. Two whole numbers → float."""
    if hypothesis_length == 0:
        return 0.0
    if hypothesis_length >= reference_length:
        return 1.0
    return math.exp(1 - reference_length / hypothesis_length)


def _lengths() -> Inputs:
    pairs = [(5, 10), (10, 10), (12, 10), (9, 10), (3, 10), (0, 7), (0, 0), (1, 1), (24, 10)]
    for c, r in (*pairs, (40, 41)):
        yield {"hypothesis_length": c, "reference_length": r}


def _factor(call: Call, c: int, r: int, why: str) -> str | None:
    right = brevity_penalty(c, r)
    return unlike(call, right, why, hypothesis_length=c, reference_length=r)


def _long_is_free(call: Call) -> str | None:
    long = "what is too long has lost precision already; this factor is for what is too short."
    equal = "what is as long as its reference is long enough."
    return _factor(call, 20, 10, long) or _factor(call, 10, 10, equal)


def _below(call: Call) -> str | None:
    for c, r in ((5, 10), (9, 10), (3, 10), (40, 41)):
        why = f"c is below r, and there the factor is exp(1 − r/c), here exp(1 − {r}/{c})."
        if told := _factor(call, c, r, why):
            return told
    return None


def _silence(call: Call) -> str | None:
    for r, why in ((7, ""), (0, ", whatever r is: ask for c = 0 first")):
        problem = call.error(hypothesis_length=0, reference_length=r)
        if problem is not None:
            return f"With c = 0 it raises {sentence(problem)}. Who says nothing at all gets 0."
        if told := _factor(call, 0, r, f"who says nothing at all gets 0{why}."):
            return told
    return None


# Ways to get it wrong -----------------------------------------------------------------------------


def _right(c: Any, r: Any) -> Any:
    return math.exp(1 - r / c)


def _turned(c: Any, r: Any) -> Any:
    return math.exp(1 - c / r)


def _share(c: Any, r: Any) -> Any:
    return c / r


def _one(c: Any, r: Any) -> Any:
    return 1.0


def _for(below: Any, above: Any, nothing: Any) -> Any:
    """Another formula below r and from r on, and what stands for c = 0 (None: no case for it)."""

    def factor(hypothesis_length: int, reference_length: int) -> Any:
        if hypothesis_length == 0 and nothing is not None:
            return nothing
        chosen = above if hypothesis_length >= reference_length else below
        return chosen(hypothesis_length, reference_length)

    return factor


def _known(told: str, *formulas: tuple[Any, Any]) -> list[Mistake]:
    """One sentence for formulas below r and from r on, however c = 0 is treated."""
    return [(told, _for(*pair, nothing)) for pair in formulas for nothing in (0.0, None, 1.0)]


_TAUGHT = (
    "This is min(1, c/r), which is often taught: the paper has an exponential, exp(1 − r/c), which "
    "is always the harsher of the two below r."
)
_PLACES = "c and r have changed places: this spares the short and punishes the long."
_REWARDED = "Above r the factor grows beyond 1: being long is rewarded. It is 1 there."
_PUNISHED = "What is too long is punished as well. It has lost precision already: the factor is 1."

CHECK = Exercise(
    "brevity_penalty",
    reference=brevity_penalty,
    inputs=_lengths,
    rules={
        "what is long enough costs nothing": _long_is_free,
        "below the reference's length the factor is exp(1 − r/c)": _below,
        "an empty hypothesis gets 0, and is no error": _silence,
    },
    mistakes=[
        *_known(_TAUGHT, (_share, _one)),
        (
            _TAUGHT,
            lambda hypothesis_length, reference_length: min(
                1.0, hypothesis_length / reference_length
            ),
        ),
        *(
            (
                _PLACES,
                lambda hypothesis_length, reference_length, nothing=nothing: _for(
                    _right, _one, nothing
                )(reference_length, hypothesis_length),
            )
            for nothing in (0.0, None, 1.0)
        ),
        *_known(_PLACES, (_one, _turned)),
        *_known(
            "The two cases have changed places: the exponential stands for c > r, and is meant for "
            "c < r.",
            (_one, _right),
        ),
        *_known(_REWARDED, (_right, _right), (_share, _share)),
        *_known(
            "The fraction is upside down: exp(1 − c/r) is *larger* than 1 for c < r.",
            (_turned, _one),
            (_turned, _turned),
        ),
        *_known(
            "These are percents. The factor is 1 where nothing is taken off.",
            (lambda c, r: 100 * _right(c, r), lambda c, r: 100.0),
        ),
        *(
            mistake
            for told, formulas in {
                "The 1 is missing in exp(1 − r/c): at c just below r the factor jumps from 1 to "
                "0.37.": [lambda c, r: math.exp(-r / c)],
                "This is exp(−c/r). It is exp(1 − r/c).": [lambda c, r: math.exp(-c / r)],
                "The fraction in exp(1 − r/c) is cut to a whole number: / divides, // leaves out "
                "what is behind the point.": [lambda c, r: math.exp(1 - r // c)],
                "The difference c − r of the lengths stands in the exponential: one missing token "
                "would cost a long text as much as a short one. It is 1 − r/c.": [
                    lambda c, r: math.exp(c - r)
                ],
                "This is exp(c/r − 1), which never falls below 0.37, however short the text is. It "
                "is exp(1 − r/c).": [lambda c, r: math.exp(c / r - 1)],
                "The sign is turned: exp(r/c − 1) is *larger* than 1 for c < r. It is exp(1 − "
                "r/c).": [lambda c, r: math.exp(r / c - 1)],
                "The exponential is missing: this is 1 − r/c. It is exp(1 − r/c).": [
                    lambda c, r: 1 - r / c,
                    lambda c, r: max(0.0, 1 - r / c),
                ],
                "This is 1 − c/r, and the exponential is missing. It is exp(1 − r/c).": [
                    lambda c, r: 1 - c / r
                ],
                "The exponential has another base than e: math.exp.": [
                    lambda c, r: 2 ** (1 - r / c),
                    lambda c, r: 10 ** (1 - r / c),
                ],
            }.items()
            for formula in formulas
            for mistake in _known(told, (formula, _one))
        ),
        *_known(_PUNISHED, (_right, _turned), (_share, lambda c, r: r / c)),
        *_known(
            "At c = r the factor is not 1: long enough is c ≥ r.",
            (_right, lambda c, r: float(c > r)),
        ),
        *_known(
            "What is too long gets nothing. It has lost precision already: the factor is 1.",
            (_right, lambda c, r: float(c == r)),
        ),
    ],
)
