"""Exercise 7.5: ``inverse_sigmoid``."""

import math
from collections.abc import Callable
from typing import Any

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise


def inverse_sigmoid(step: Any, rate: Any) -> Any:
    """ε_i = k / (k + exp(i / k)) at step i with rate k, without overflow → a number."""
    share = rate * math.exp(-step / rate)
    return share / (share + 1)


def _steps_and_rates() -> Inputs:
    early = [(0, 1.0), (0, 10.0), (5, 3.0), (20, 10.0), (46, 10.0), (7, 2)]
    late = [(700, 150.0), (2_000, 500), (5_000, 700.0), (40_000, 20.0), (2_500_000, 100_000.0)]
    for step, rate in early + late:
        yield {"step": step, "rate": rate}


def _late_steps(call: Call) -> str | None:
    if call.error(step=100_000, rate=10.0) is None:
        return None
    return (
        "After 100,000 steps it fails: exp of a large number is beyond what a number can hold. "
        "Divide above and below the line by that exponential; exp of a large *negative* number "
        "is simply 0."
    )


def _number(call: Call) -> str | None:
    if abs(call.result - call.expected) < 1e-5:
        return None
    power = call.step / call.rate
    return (
        f"With i = {call.step} and k = {call.rate:g} the exponent i/k is {power:.4g} and "
        f"exp(−i/k) is {math.exp(-power):.4g}; k / (k + exp(i/k)) is {call.expected:.4g}, and "
        f"{call.result:.4g} is returned."
    )


Formula = Callable[[float, float], float]
_FORMULAS: dict[str, Formula] = {
    "It is divided by 1 + exp(i/k). The formula has k there, and that k keeps the start near 1.": (
        lambda i, k: 1 / (1 + math.exp(i / k))
    ),
    "k is missing above the line: the formula is k / (k + exp(i/k)). Where the fraction was "
    "turned, k must stay with exp(−i/k), above and below.": lambda i, k: 1 / (k + math.exp(i / k)),
    "This is the share of the model's own words, 1 − ε. The share of gold is asked for.": (
        lambda i, k: 1 - inverse_sigmoid(i, k)
    ),
    "The exponent is i · k instead of i / k: the probability is gone after a few steps.": (
        lambda i, k: inverse_sigmoid(i * k * k, k)
    ),
    "i/k is rounded to a whole number: it falls in stairs. Divide with /, not with //.": (
        lambda i, k: inverse_sigmoid(i // k * k, k)
    ),
}


def _of(formula: Formula, late: float = 0.0) -> Callable[..., Any]:
    """A formula of i and k, and what it is where a number is too large for it."""

    def wrong(step: Any, rate: Any) -> Any:
        try:
            return formula(step, rate)
        except OverflowError:
            return late

    return wrong


CHECK = Exercise(
    inverse_sigmoid,
    inputs=_steps_and_rates,
    rules={
        "the share of gold is k / (k + exp(i/k))": _number,
        "the function still works after 100,000 steps": _late_steps,
    },
    mistakes={diagnosis: _of(formula) for diagnosis, formula in _FORMULAS.items()},
)
