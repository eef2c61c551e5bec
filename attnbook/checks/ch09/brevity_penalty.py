"""Exercise 9.3: ``brevity_penalty``."""

from __future__ import annotations

import math
from collections.abc import Callable

from attnbook.checks.inputs import Inputs
from attnbook.checks.rules import unlike
from attnbook.exercises import Call, Exercise
from attnbook.exercises.trial import error_text


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
    expected = brevity_penalty(c, r)
    return unlike(call, expected, why, hypothesis_length=c, reference_length=r)


#: What may stand where exp(1 − r/c) is meant.
_FORMULAS: dict[str, Callable[[int, int], float]] = {
    "This is c/r, and min(1, c/r) is often taught: the paper's exponential is always the harsher "
    "of the two below r.": lambda c, r: c / r,
    "The fraction is upside down: exp(1 − c/r) is *larger* than 1 for c < r.": (
        lambda c, r: math.exp(1 - c / r)
    ),
    "The sign is turned: exp(r/c − 1) is *larger* than 1 for c < r.": (
        lambda c, r: math.exp(r / c - 1)
    ),
    "The 1 is missing: at c just below r the factor jumps from 1 to 0.37.": (
        lambda c, r: math.exp(-r / c)
    ),
    "The fraction is cut to a whole number: / divides, // leaves out what is behind the point.": (
        lambda c, r: math.exp(1 - r // c)
    ),
    "Nothing is taken off: is the comparison the wrong way round, or are c and r?": (
        lambda c, r: 1.0
    ),
}


def _below(call: Call) -> str | None:
    for c, r in ((3, 10), (5, 10), (9, 10), (40, 41)):
        why = f"c is below r, and there the factor is exp(1 − r/c), here exp(1 − {r}/{c})."
        if message := _factor(call, c, r, why):
            factor = call(hypothesis_length=c, reference_length=r)
            clues = (clue for clue, f in _FORMULAS.items() if math.isclose(factor, f(c, r)))
            return " ".join([message, *clues])
    return None


def _long_is_free(call: Call) -> str | None:
    for c, r, why in (
        (20, 10, "what is too long has lost precision already, and the factor is 1."),
        (10, 10, "what is as long as its reference is long enough: c ≥ r."),
    ):
        if message := _factor(call, c, r, why):
            return message
    return None


def _silence(call: Call) -> str | None:
    for r, why in ((7, ""), (0, ", whatever r is: ask for c = 0 first")):
        problem = call.error(hypothesis_length=0, reference_length=r)
        if problem is not None:
            return f"With c = 0 it raises {error_text(problem)}. Who says nothing at all gets 0."
        if message := _factor(call, 0, r, f"who says nothing at all gets 0{why}."):
            return message
    return None


CHECK = Exercise(
    "brevity_penalty",
    reference=brevity_penalty,
    inputs=_lengths,
    rules={
        "below the reference's length the factor is exp(1 − r/c)": _below,
        "what is long enough costs nothing": _long_is_free,
        "an empty hypothesis gets 0, and is no error": _silence,
    },
)
