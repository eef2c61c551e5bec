"""Exercise 9.3: ``brevity_penalty``."""

from __future__ import annotations

import math
from collections.abc import Callable

from attnbook.checks.ch09.shared import unlike
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake
from attnbook.exercises.trial import sentence
from attnlib.metrics import Real


def brevity_penalty(hypothesis_length: int, reference_length: int) -> float:
    """BP = 1 if c ≥ r, else exp(1 − r/c); 0 for c = 0. Two whole numbers → float."""
    if hypothesis_length == 0:
        return 0.0
    if hypothesis_length >= reference_length:
        return 1.0
    return math.exp(1 - reference_length / hypothesis_length)


Factor = Callable[[int, int], Real]


def _lengths() -> Inputs:
    pairs = (
        (5, 10),
        (10, 10),
        (12, 10),
        (9, 10),
        (3, 10),
        (0, 7),
        (0, 0),
        (1, 1),
        (24, 10),
        (40, 41),
    )
    for c, r in pairs:
        yield {"hypothesis_length": c, "reference_length": r}


def _long_is_free(call: Call) -> str | None:
    return unlike(
        call, 1.0, "what is too long has lost precision already; this factor is for what is too "
        "short.", hypothesis_length=20, reference_length=10,
    ) or unlike(
        call, 1.0, "what is as long as its reference is long enough.",
        hypothesis_length=10, reference_length=10,
    )  # fmt: skip


def _below(call: Call) -> str | None:
    for c, r in ((5, 10), (9, 10), (3, 10), (40, 41)):
        why = f"c is below r, and there the factor is exp(1 − r/c), here exp(1 − {r}/{c})."
        right = _reference(c, r)
        if told := unlike(call, right, why, hypothesis_length=c, reference_length=r):
            return told
    return None


def _silence(call: Call) -> str | None:
    for r in (7, 0):
        given = {"hypothesis_length": 0, "reference_length": r}
        problem = call.error(**given)
        if problem is not None:
            return f"With c = 0 it raises {sentence(problem)}. Who says nothing at all gets 0."
        why = "who says nothing at all gets 0" + ", whatever r is: ask for c = 0 first." * (r == 0)
        if told := unlike(call, 0.0, why.rstrip(".") + ".", **given):
            return told
    return None


def _family(below: Factor, above: Factor, nothing: Real | None = 0.0) -> Factor:
    """The factor, with another formula below r, from r on, or for c = 0 (None: no case for it)."""

    def factor(hypothesis_length: int, reference_length: int) -> float:
        if hypothesis_length == 0 and nothing is not None:
            return nothing
        chosen = above if hypothesis_length >= reference_length else below
        return chosen(hypothesis_length, reference_length)

    return factor


def _one(c: Real, r: Real) -> float:
    return 1.0


def _right(c: Real, r: Real) -> float:
    return math.exp(1 - r / c)


def _turned(c: Real, r: Real) -> float:
    return math.exp(1 - c / r)


_reference = _family(_right, _one)


def _swapped(factor: Factor) -> Factor:
    return lambda hypothesis_length, reference_length: factor(reference_length, hypothesis_length)


def _known(diagnosis: str, *formulas: tuple[Factor, Factor]) -> list[Mistake]:
    """One sentence for formulas below r and from r on, however c = 0 is treated."""
    return [
        (diagnosis, _family(below, above, nothing))
        for below, above in formulas
        for nothing in (0.0, None, 1.0)
    ]


def _below_r(diagnosis: str, *formulas: Factor) -> list[Mistake]:
    return _known(diagnosis, *((formula, _one) for formula in formulas))


_REWARDED = "Above r the factor grows beyond 1: being long is rewarded. It is 1 there."
_PUNISHED = "What is too long is punished as well. It has lost precision already: the factor is 1."
_PLACES = "c and r have changed places: this spares the short and punishes the long."

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
        *_below_r(
            "This is min(1, c/r), which is often taught: the paper has an exponential, "
            "exp(1 − r/c), which is always the harsher of the two below r.",
            lambda c, r: c / r,
        ),
        (
            "This is min(1, c/r), which is often taught: the paper has an exponential, "
            "exp(1 − r/c), which is always the harsher of the two below r.",
            lambda hypothesis_length, reference_length: min(
                1.0, hypothesis_length / reference_length
            ),
        ),
        *(
            (_PLACES, _swapped(_family(_right, _one, nothing)))
            for nothing in (0.0, None, 1.0)
        ),
        *_known(_PLACES, (_one, _turned)),
        *_known(
            "The two cases have changed places: the exponential stands for c > r, and is meant for "
            "c < r.",
            (_one, _right),
        ),
        *_known(_REWARDED, (_right, _right), (lambda c, r: c / r, lambda c, r: c / r)),
        *_known(
            "The fraction is upside down: exp(1 − c/r) is *larger* than 1 for c < r.",
            (_turned, _one),
            (_turned, _turned),
        ),
        *_known(
            "These are percents. The factor is 1 where nothing is taken off.",
            (lambda c, r: 100 * _right(c, r), lambda c, r: 100.0),
        ),
        *_below_r(
            "The 1 is missing in exp(1 − r/c): at c just below r the factor jumps from 1 to 0.37.",
            lambda c, r: math.exp(-r / c),
        ),
        *_below_r("This is exp(−c/r). It is exp(1 − r/c).", lambda c, r: math.exp(-c / r)),
        *_below_r(
            "The fraction in exp(1 − r/c) is cut to a whole number: / divides, // leaves out "
            "what is behind the point.",
            lambda c, r: math.exp(1 - r // c),
        ),
        *_below_r(
            "The difference c − r of the lengths stands in the exponential: one missing token "
            "would cost a long text as much as a short one. It is 1 − r/c.",
            lambda c, r: math.exp(c - r),
        ),
        *_below_r(
            "This is exp(c/r − 1), which never falls below 0.37, however short the text is. It is "
            "exp(1 − r/c).",
            lambda c, r: math.exp(c / r - 1),
        ),
        *_below_r(
            "The sign is turned: exp(r/c − 1) is *larger* than 1 for c < r. It is exp(1 − r/c).",
            lambda c, r: math.exp(r / c - 1),
        ),
        *_below_r(
            "The exponential is missing: this is 1 − r/c. It is exp(1 − r/c).",
            lambda c, r: 1 - r / c,
            lambda c, r: max(0.0, 1 - r / c),
        ),
        *_below_r(
            "This is 1 − c/r, and the exponential is missing. It is exp(1 − r/c).",
            lambda c, r: 1 - c / r,
        ),
        *_below_r(
            "The exponential has another base than e: math.exp.",
            lambda c, r: 2 ** (1 - r / c),
            lambda c, r: 10 ** (1 - r / c),
        ),
        *_known(_PUNISHED, (_right, _turned), (lambda c, r: c / r, lambda c, r: r / c)),
        *_known(
            "At c = r the factor is not 1: long enough is c ≥ r.",
            (_right, lambda c, r: float(c > r)),
        ),
        *_known(
            "What is too long gets nothing. It has lost precision already: the factor is 1.",
            (_right, lambda c, r: float(c == r)),
        ),
    ],
)  # fmt: skip
