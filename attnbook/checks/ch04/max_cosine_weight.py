"""Exercise 4.2: ``max_cosine_weight``."""

import math
from typing import Any

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise


def max_cosine_weight(n: Any) -> Any:
    """The largest softmax weight that n cosines allow: an upper bound. int → float."""
    return math.e**2 / (math.e**2 + n - 1)


def _numbers_of_keys() -> Inputs:
    for n in (1, 2, 3, 20, 50):
        yield {"n": n}


def _alone(call: Call) -> bool | str:
    weight = call(n=1)
    return math.isclose(weight, 1.0, abs_tol=1e-6) or (
        f"A single key must get the whole weight, and here it gets {weight:.3f}."
    )


def _reached(call: Call) -> str | None:
    for n in (call.n, call.n + 1):
        weight, best = call(n=n), max_cosine_weight(n)
        if math.isclose(weight, best, abs_tol=1e-5):
            continue
        then = "" if weight < best else ", and no cosines give more"
        rounded = weight in [round(best, digits) for digits in (1, 2, 3, 4)]
        return (
            f"Of {n} keys one can have cosine 1 and each other one −1. The softmax of these gives "
            f"the first a weight of {best:.6f}{then}. What is returned is {weight:.6f}."
            + " Is it rounded? That is for printing."
            * rounded
        )
    return None


CHECK = Exercise(
    max_cosine_weight,
    inputs=_numbers_of_keys,
    rules={
        "one key alone has all the weight": _alone,
        "the weight is what the best cosines give": _reached,
    },
    mistakes={
        "All n keys are counted as others. The right key is one of them: how many are left?": (
            lambda n: math.e**2 / (math.e**2 + n)
        ),
    },
)
