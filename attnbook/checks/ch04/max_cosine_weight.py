"""Exercise 4.2: ``max_cosine_weight``."""

from __future__ import annotations

import math

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake


def _numbers_of_keys() -> Inputs:
    for n in (1, 2, 3, 20, 50):
        yield {"n": n}


def _alone(call: Call) -> str | None:
    weight = call(n=1)
    if math.isclose(weight, 1.0, abs_tol=1e-6):
        return None
    return (
        f"A single key must get the whole weight, and here it gets {weight:.3f}. "
        "Is it counted among the others as well?"
    )


def _less_for_more(call: Call) -> str | None:
    more = call(n=call.n + 1)
    if more < call.result:
        return None
    return (
        f"One of {call.n} keys gets {call.result:.3f}, one of {call.n + 1} gets {more:.3f}. "
        "Where does the weight of the additional key come from?"
    )


CHECK = Exercise(
    "max_cosine_weight",
    reference=lambda n: math.e**2 / (math.e**2 + n - 1),
    inputs=_numbers_of_keys,
    rules={
        "one key alone has all the weight": _alone,
        "more keys leave less": _less_for_more,
    },
    mistakes=[
        Mistake(
            "Here the other keys have cosine 0, at right angles. In the best case they point the "
            "opposite way: which cosine is that?",
            lambda n: math.e / (math.e + n - 1),
        ),
        Mistake(
            "All n keys are counted as others. The right key is one of them: how many are left?",
            lambda n: math.e**2 / (math.e**2 + n),
        ),
        Mistake(
            "This is the even share: it is what a key gets when all scores are equal.",
            lambda n: 1 / n,
        ),
        Mistake(
            "A weight of 1 would need scores that differ by infinity. Cosines differ by 2 at most.",
            lambda n: 1.0,
        ),
        Mistake(
            "The exponent is too large by a factor of 2: numerator and denominator are "
            "multiplied by e once, and e⁻¹ · e is 1.",
            lambda n: math.e**2 / (math.e**2 + (n - 1) * math.e**-2),
        ),
    ],
)
