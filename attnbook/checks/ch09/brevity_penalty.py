"""Exercise 9.3: ``brevity_penalty``."""

import math
from collections.abc import Callable

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import fmt


def brevity_penalty(hypothesis_length: int, reference_length: int) -> float:
    """BP of a hypothesis of c tokens, reference r tokens. Two whole numbers → float."""
    if hypothesis_length == 0:
        return 0.0
    if hypothesis_length >= reference_length:
        return 1.0
    return math.exp(1 - reference_length / hypothesis_length)


def _lengths() -> Inputs:
    for c, r in ((3, 10), (9, 10), (40, 41), (10, 10), (24, 10), (1, 1), (0, 7), (0, 0)):
        yield {"hypothesis_length": c, "reference_length": r}


#: What may stand where exp(1 − r/c) is meant.
_FORMULAS: dict[str, Callable[[int, int], float]] = {
    "This is c/r. min(1, c/r) is often taught, but below r the paper's exponential is always "
    "harsher.": lambda c, r: c / r,
    "The fraction is upside down: exp(1 − c/r) is *larger* than 1 for c < r.": (
        lambda c, r: math.exp(1 - c / r)
    ),
    "The sign is wrong: exp(r/c − 1) is *larger* than 1 for c < r.": (
        lambda c, r: math.exp(r / c - 1)
    ),
    "The 1 is missing: at c just below r the factor jumps from 1 to 0.37.": (
        lambda c, r: math.exp(-r / c)
    ),
    "The fraction is cut to a whole number: / divides, but // drops the decimals.": (
        lambda c, r: math.exp(1 - r // c)
    ),
    "There is no penalty: did you reverse the comparison, or swap c and r?": (lambda c, r: 1.0),
}


def _factor(call: Call) -> str | None:
    c, r = call.hypothesis_length, call.reference_length
    if math.isclose(call.result, call.expected, abs_tol=1e-6):
        return None
    message = (
        f"With c = {c} and r = {r} you return {fmt(call.result)}, where {fmt(call.expected)} is "
    )
    if c == 0:
        return message + "expected: an empty translation gets 0, whatever r is."
    if c >= r:
        return message + "expected: a translation at least as long as its reference has no penalty."
    message += f"expected: c is below r, so the factor is exp(1 − r/c), here exp(1 − {r}/{c})."
    clues = (clue for clue, f in _FORMULAS.items() if math.isclose(call.result, f(c, r)))
    return " ".join([message, *clues])


CHECK = Exercise(
    brevity_penalty,
    inputs=_lengths,
    rules={
        "the factor is exp(1 − r/c) below the reference's length, else 1, and 0 for c = 0": _factor,
    },
)
