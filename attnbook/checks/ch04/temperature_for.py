"""Exercise 4.1: ``temperature_for``."""

import math

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise


def temperature_for(n: int, target: float) -> float:
    """The τ at which e^(2/τ) / (e^(2/τ) + n − 1) = target. ValueError where there is none."""
    if not 1 / n < target < 1:
        raise ValueError(f"target must lie between 1/{n} and 1, got {target}")
    return 2 / math.log(target * (n - 1) / (1 - target))


def _targets() -> Inputs:
    numbers = (2, 3, 20, 588, 50, 4, 1)
    for n, target in zip(numbers, (0.75, 0.9, 0.5, 0.99, 0.03, 0.3, 0.5)):
        yield {"n": n, "target": target}


def _reaches(call: Call) -> bool | str:
    tau = call.result
    if tau <= 0:
        return f"A temperature is positive, but this is {tau:.3f}."
    weight = 1 / (1 + (call.n - 1) * math.exp(-2 / tau))
    return math.isclose(weight, call.target, abs_tol=1e-4) or (
        f"At the temperature {tau:.3f} the largest weight of {call.n} keys is {weight:.3f}; it "
        f"should be {call.target}."
    )


def _refuses(call: Call) -> str | None:
    for target in (1.0, 1.5, 1 / call.n, 0.5 / call.n, 0.0, -0.5):
        problem = call.error(target=target)
        if not isinstance(problem, ValueError) or "math domain" in str(problem):
            what = "you raise nothing" if problem is None else f"you raise {type(problem).__name__}"
            return (
                f"For n = {call.n} no temperature gives the weight {target:.3g}, but {what}. Raise "
                "a ValueError with your own message before you compute."
            )
    return None


def _x(n: int, target: float) -> float:
    """e^(2/τ) at the right temperature."""
    return target * (n - 1) / (1 - target)


CHECK = Exercise(
    temperature_for,
    inputs=_targets,
    rules={
        "at this temperature the largest weight is the target": _reaches,
        "a target that no temperature reaches is refused": _refuses,
    },
    mistakes={
        "This is 1/τ: scores are divided by the temperature, so it divides the 2.": (
            lambda n, target: math.log(_x(n, target)) / 2
        ),
        "The best case has cosines 1 and −1, a difference of 2. Yours is 1.": (
            lambda n, target: 1 / math.log(_x(n, target))
        ),
        "You count all n keys as others, but one of them is the right key.": (
            lambda n, target: 2 / math.log(target * n / (1 - target))
        ),
        "Use the natural logarithm, because the softmax uses powers of e.": [
            lambda n, target: 2 / math.log10(_x(n, target)),
            lambda n, target: 2 / math.log2(_x(n, target)),
        ],
    },
)
