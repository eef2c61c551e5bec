"""Exercise 8.3: ``length_penalty``."""

from __future__ import annotations

from typing import Any

import torch

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise


def length_penalty(n: Any, alpha: Any, kind: Any = "gnmt") -> Any:
    """lp(n) = ((5 + n) / 6)^alpha ("gnmt") or n^alpha ("power"); n counts the eos."""
    base = n if kind == "power" else (5 + n) / 6
    return base**alpha


def _lengths() -> Inputs:
    yield {"n": 7.0, "alpha": 1.0, "kind": "gnmt"}
    yield {"n": 9.0, "alpha": 0.5, "kind": "power"}
    yield {"n": 1.0, "alpha": 0.7, "kind": "gnmt"}
    yield {"n": 13.0, "alpha": 0.6, "kind": "gnmt"}
    yield {"n": 4.0, "alpha": -1.0, "kind": "power"}
    yield {"n": 20.0, "alpha": 0.0, "kind": "gnmt"}
    yield {"n": 4, "alpha": 1.0, "kind": "gnmt"}
    yield {"n": torch.tensor([1.0, 7.0, 19.0]), "alpha": 2.0, "kind": "gnmt"}
    yield {"n": torch.tensor([[2.0, 9.0], [4.0, 1.0]]), "alpha": 0.5, "kind": "power"}


def _one_at_one(call: Call) -> str | None:
    for kind in ("gnmt", "power"):
        got = float(call(n=1.0, alpha=0.7, kind=kind))
        if abs(got - 1) > 1e-6:
            told = f'For n = 1 the penalty "{kind}" is {got:.3g}. Both are made so that lp(1) = 1.'
            turned = " Base and exponent are exchanged: α is the exponent." * (got == 0.7)
            return told + turned
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


def _squares(call: Call) -> str | None:
    for kind in ("gnmt", "power"):
        one, two = (float(call(n=4.0, alpha=alpha, kind=kind)) for alpha in (1.0, 2.0))
        if abs(one**2 - two) > 1e-5:
            return (
                f'lp(4) "{kind}" is {one:.4g} for α = 1 and {two:.4g} for α = 2. α is an exponent '
                f"of the whole, so the second is the first squared: {one**2:.4g}."
            )
    return None


def _base(call: Call) -> str | None:
    for kind, formula, right in (("gnmt", "(5 + 4) / (5 + 1)", 1.5), ("power", "4", 4.0)):
        got = float(call(n=4.0, alpha=1.0, kind=kind))
        if abs(got - right) > 1e-6:
            return (
                f'For n = 4 and α = 1 the penalty "{kind}" is {formula} = {right:g}, not {got:g}.'
            )
    return None


CHECK = Exercise(
    "length_penalty",
    reference=length_penalty,
    inputs=_lengths,
    rules={
        "a larger n has a larger divisor where α > 0": _grows,
        "α = 0 changes nothing": _nothing_at_zero,
        "a sentence of one token is left as it is": _one_at_one,
        "with α = 1 the divisor is the base itself": _base,
        "α is the exponent": _squares,
    },
    gradients=(),  # a search only looks ahead; nothing goes back through that
    mistakes=[
        (
            "Only the numerator is raised to α: the whole fraction is, (5 + n)^α / 6^α.",
            lambda n, alpha, kind="gnmt": n**alpha if kind == "power" else (5 + n) ** alpha / 6,
        ),
        (
            "The fraction is multiplied by α. It is raised to the power α.",
            lambda n, alpha, kind="gnmt": (n if kind == "power" else (5 + n) / 6) * alpha,
        ),
        (
            "The argument kind has no effect: this is always the GNMT penalty.",
            lambda n, alpha, kind="gnmt": length_penalty(n, alpha, "gnmt"),
        ),
        (
            "The argument kind has no effect: this is always n^α.",
            lambda n, alpha, kind="gnmt": length_penalty(n, alpha, "power"),
        ),
        (
            "The eos is counted twice: n counts it already.",
            lambda n, alpha, kind="gnmt": length_penalty(n + 1, alpha, kind),
        ),
        (
            "The exponent has the wrong sign: this divisor shrinks with n, and dividing a negative "
            "number by a smaller divisor makes it worse.",
            lambda n, alpha, kind="gnmt": length_penalty(n, -alpha, kind),
        ),
        (
            "The fraction is cut to a whole number: // forgets the rest, / keeps it.",
            lambda n, alpha, kind="gnmt": (n if kind == "power" else (5 + n) // 6) ** alpha,
        ),
        (
            "The denominator grows with n. It is 5 + 1 = 6, whatever n is.",
            lambda n, alpha, kind="gnmt": (n if kind == "power" else (5 + n) / (n + 1)) ** alpha,
        ),
        (
            'The two kinds are exchanged: "power" is n^α, "gnmt" is ((5 + n) / 6)^α.',
            lambda n, alpha, kind="gnmt": (n if kind == "gnmt" else (5 + n) / 6) ** alpha,
        ),
        (
            "Only n is divided: (5 + n) / 6 needs its brackets, 5 + n / 6 is another number.",
            lambda n, alpha, kind="gnmt": (n if kind == "power" else 5 + n / 6) ** alpha,
        ),
        (
            "The 5 is missing in the numerator: the fraction is (5 + n) / (5 + 1).",
            lambda n, alpha, kind="gnmt": (n if kind == "power" else n / 6) ** alpha,
        ),
        *(
            (
                "n may be a tensor of many lengths, as a beam search has them. int(n), float(n), "
                "math.pow, max and if take one number; +, / and ** work on both.",
                wrong,
            )
            for wrong in (
                lambda n, alpha, kind="gnmt": length_penalty(float(n), alpha, kind),
                lambda n, alpha, kind="gnmt": length_penalty(max(n, 1), alpha, kind),
            )
        ),
        (
            "Base and exponent are exchanged: this is α to the power of the base.",
            lambda n, alpha, kind="gnmt": alpha ** (n if kind == "power" else (5 + n) / 6),
        ),
    ],
)
