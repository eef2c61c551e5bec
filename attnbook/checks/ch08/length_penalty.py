"""Exercise 8.3: ``length_penalty``."""

from __future__ import annotations

import torch

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake

# length_penalty -----------------------------------------------------------------------------------


def _lengths() -> Inputs:
    yield {"n": 7.0, "alpha": 1.0, "kind": "gnmt"}
    yield {"n": 9.0, "alpha": 0.5, "kind": "power"}
    yield {"n": 1.0, "alpha": 0.7, "kind": "gnmt"}
    yield {"n": 13.0, "alpha": 0.6, "kind": "gnmt"}
    yield {"n": 4.0, "alpha": -1.0, "kind": "power"}
    yield {"n": 20.0, "alpha": 0.0, "kind": "gnmt"}
    yield {"n": torch.tensor([1.0, 7.0, 19.0]), "alpha": 2.0, "kind": "gnmt"}


def _one_at_one(call: Call) -> str | None:
    for kind in ("gnmt", "power"):
        got = float(call(n=1.0, alpha=0.7, kind=kind))
        if abs(got - 1) > 1e-6:
            return f'For n = 1 the penalty "{kind}" is {got:.3g}. Both are made so that lp(1) = 1.'
    return None


def _nothing_at_zero(call: Call) -> str | None:
    got = float(call(n=30.0, alpha=0.0))
    return None if abs(got - 1) < 1e-6 else f"For α = 0 nothing is divided: lp = 1, not {got:.3g}."


def _grows(call: Call) -> str | None:
    short, long = (float(call(n=n, alpha=0.5)) for n in (4.0, 16.0))
    if long > short:
        return None
    return (
        f"For α = 0.5, lp(4) = {short:.3g} and lp(16) = {long:.3g}. A log-probability is negative: "
        "which divisor brings a long sentence nearer to 0?"
    )


CHECK = Exercise(
    "length_penalty",
    reference=lambda n, alpha, kind="gnmt": (n if kind == "power" else (5 + n) / 6) ** alpha,
    inputs=_lengths,
    rules={
        "a larger n has a larger divisor where α > 0": _grows,
        "α = 0 changes nothing": _nothing_at_zero,
        "a sentence of one token is left as it is": _one_at_one,
    },
    mistakes=[
        Mistake(
            "Only the numerator is raised to α: the whole fraction is, (5 + n)^α / 6^α.",
            lambda n, alpha, kind="gnmt": n**alpha if kind == "power" else (5 + n) ** alpha / 6,
        ),
        Mistake(
            "The fraction is multiplied by α. It is raised to the power α.",
            lambda n, alpha, kind="gnmt": (n if kind == "power" else (5 + n) / 6) * alpha,
        ),
        Mistake(
            "The argument kind has no effect: this is always the GNMT penalty.",
            lambda n, alpha, kind="gnmt": ((5 + n) / 6) ** alpha,
        ),
        Mistake(
            "The argument kind has no effect: this is always n^α.",
            lambda n, alpha, kind="gnmt": n**alpha,
        ),
        Mistake(
            "The eos is counted twice: n counts it already.",
            lambda n, alpha, kind="gnmt": (n + 1 if kind == "power" else (6 + n) / 6) ** alpha,
        ),
        Mistake(
            "The exponent has the wrong sign: this divisor shrinks with n, and dividing a negative "
            "number by a smaller divisor makes it worse.",
            lambda n, alpha, kind="gnmt": (n if kind == "power" else (5 + n) / 6) ** -alpha,
        ),
    ],
)
