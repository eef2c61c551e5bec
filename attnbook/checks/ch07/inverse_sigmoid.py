"""Exercise 7.5: ``inverse_sigmoid``."""

from __future__ import annotations

import math
from typing import Any

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake


def _steps_and_rates() -> Inputs:
    for step, rate in ((0, 1.0), (0, 10.0), (5, 3.0), (20, 10.0), (46, 10.0), (700, 150.0)):
        yield {"step": step, "rate": rate}
    yield {"step": 40_000, "rate": 20.0}


def _inverse_sigmoid(step: Any, rate: Any) -> Any:
    share = rate * math.exp(-step / rate)
    return share / (share + 1)


def _falls(call: Call) -> str | None:
    early, late = call(step=10, rate=10.0), call(step=40, rate=10.0)
    if late < early:
        return None
    return (
        f"With rate 10 it is {early:.3f} at step 10 and {late:.3f} at step 40. The probability of "
        "gold should fall as training goes on."
    )


def _half_at(call: Call) -> str | None:
    found = call(step=10 * math.log(10), rate=10.0)
    if abs(found - 0.5) < 1e-6:
        return None
    return f"At step k ln k it should be one half; with k = 10 it is {found:.3f}."


def _late_steps(call: Call) -> str | None:
    problem = call.error(step=100_000, rate=10.0)
    if problem is None:
        return None
    return (
        "After 100,000 steps it fails: exp of a large number is beyond what a number can hold. "
        "Divide above and below the line by that exponential; exp of a large *negative* number "
        "is simply 0."
    )


CHECK = Exercise(
    "inverse_sigmoid",
    reference=_inverse_sigmoid,
    inputs=_steps_and_rates,
    rules={
        "it falls": _falls,
        "it is one half at step k ln k": _half_at,
        "it still works after 100,000 steps": _late_steps,
    },
    mistakes=[
        Mistake(
            "It is divided by 1 + exp(i/k). The formula has k there, and that k keeps the start "
            "near 1.",
            lambda step, rate: 1 / (1 + math.exp(step / rate)) if step < 700 * rate else 0.0,
        ),
        Mistake(
            "This is the sigmoid, which rises. Is the sign of the exponent right?",
            lambda step, rate: rate / (rate + math.exp(-step / rate)),
        ),
        Mistake(
            "This is exponential decay: it falls at once instead of staying high first.",
            lambda step, rate: math.exp(-step / rate),
        ),
        Mistake(
            "The exponent is i · k instead of i / k: the probability is gone after a few steps.",
            lambda step, rate: rate * math.exp(-step * rate) / (rate * math.exp(-step * rate) + 1),
        ),
    ],
)
