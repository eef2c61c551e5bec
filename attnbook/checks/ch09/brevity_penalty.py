"""Exercise 9.3: ``brevity_penalty``."""

from __future__ import annotations

import math

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake
from attnlib import metrics


def _lengths() -> Inputs:
    for c, r in ((5, 10), (10, 10), (12, 10), (9, 10), (0, 7), (40, 41)):
        yield {"hypothesis_length": c, "reference_length": r}


def _long_is_free(call: Call) -> str | None:
    penalty = call(hypothesis_length=20, reference_length=10)
    if abs(penalty - 1) < 1e-9:
        return None
    return (
        f"With c = 20 and r = 10 the factor is {penalty:.3g}. What is too long has lost precision "
        "already; this factor is for what is too short, and is 1 here."
    )


def _below_the_ratio(call: Call) -> str | None:
    penalty = call(hypothesis_length=5, reference_length=10)
    if penalty < 0.5 - 1e-9:
        return None
    return (
        f"With c = 5 and r = 10 the factor is {penalty:.3g}. By Papineni et al. half the length "
        "costs more than half of the score: e⁻¹ of it is left."
    )


def _silence(call: Call) -> str | None:
    problem = call.error(hypothesis_length=0, reference_length=7)
    if problem is not None:
        return f"With c = 0 it raises {type(problem).__name__}. Who says nothing at all gets 0."
    return None


CHECK = Exercise(
    "brevity_penalty",
    reference=lambda hypothesis_length, reference_length: metrics.brevity_penalty(
        hypothesis_length, reference_length
    ),
    inputs=_lengths,
    rules={
        "an empty hypothesis is no error": _silence,
        "what is long enough costs nothing": _long_is_free,
        "what is short costs more than its share": _below_the_ratio,
    },
    mistakes=[
        Mistake(
            "This is min(1, c/r), as in the lecture and many a blog: the paper has an exponential, "
            "exp(1 − r/c), which is always the harsher of the two below r.",
            lambda hypothesis_length, reference_length: min(
                1.0, hypothesis_length / reference_length
            ),
        ),
        Mistake(
            "c and r have changed places: this spares the short and punishes the long.",
            lambda hypothesis_length, reference_length: metrics.brevity_penalty(
                reference_length, hypothesis_length
            ),
        ),
        Mistake(
            "Above r the factor grows beyond 1: being long is rewarded. It is 1 there.",
            lambda hypothesis_length, reference_length: (
                math.exp(1 - reference_length / hypothesis_length) if hypothesis_length else 0.0
            ),
        ),
        Mistake(
            "The fraction is upside down: exp(1 − c/r) is *larger* than 1 for c < r.",
            lambda hypothesis_length, reference_length: (
                1.0
                if hypothesis_length >= reference_length
                else math.exp(1 - hypothesis_length / reference_length)
            ),
        ),
        Mistake(
            "The 1 is missing in exp(1 − r/c): at c just below r the factor jumps from 1 to 0.37.",
            lambda hypothesis_length, reference_length: (
                1.0
                if hypothesis_length >= reference_length
                else math.exp(-reference_length / hypothesis_length)
                if hypothesis_length
                else 0.0
            ),
        ),
        Mistake(
            "What is too long is punished as well. It has lost precision already: the factor is 1.",
            lambda hypothesis_length, reference_length: min(
                metrics.brevity_penalty(hypothesis_length, reference_length),
                metrics.brevity_penalty(reference_length, hypothesis_length),
            ),
        ),
    ],
)
