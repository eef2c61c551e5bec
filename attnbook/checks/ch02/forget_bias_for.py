"""Exercise 2.3: ``forget_bias_for``."""

import math
from collections.abc import Callable

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise, Function


def forget_bias_for(distance: int, share: float) -> float:
    """The bias b with σ(b) ** distance = share. distance at least 1, 0 < share < 1."""
    log_gate = math.log(share) / distance  # of the gate f, with f ** distance = share
    return log_gate - math.log(-math.expm1(log_gate))  # log(f / (1 − f)), exact where f is near 1


def _distances() -> Inputs:
    distances = (2, 1, 14, 1, 50, 100, 20, 5)
    shares = (0.81, 0.75, 0.5, 0.5, 0.5, 0.1, 0.9, 0.01)  # the first gate is 0.9, a later bias 0
    for distance, share in zip(distances, shares):
        yield {"distance": distance, "share": share}


def _sigmoid(bias: float) -> float:
    return 1 / (1 + math.exp(-max(min(bias, 700.0), -700.0)))


def _leaves_the_share(call: Call) -> str | None:
    gate = _sigmoid(call.result)
    remaining = gate**call.distance
    if math.isclose(remaining, call.share, rel_tol=2e-4):
        return None
    message = (
        f"With the bias {call.result:.3f} the gate is {gate:.4f}, which leaves {remaining:.4g} of "
        f"the memory after {call.distance} step{'s' * (call.distance > 1)}. It should leave "
        f"{call.share}."
    )
    off = abs(call.result - call.expected)
    if any(off < 0.1**n and math.isclose(call.result, round(call.result, n)) for n in range(4)):
        return f"{message} Did you round the bias, or try it in steps? Solve σ(b) = f for b."
    return message


def _of_right_gate(function: Callable[[float], float]) -> Function:
    """Something else than the bias, made of the right gate."""
    return lambda distance, share: function(share ** (1 / distance))


CHECK = Exercise(
    forget_bias_for,
    inputs=_distances,
    rules={"with this bias the share is left after the distance": _leaves_the_share},
    mistakes={
        "This is the gate f. Return the bias with σ(b) = f: b = log(f / (1 − f)).": (
            _of_right_gate(lambda f: f)
        ),
        "The fraction is upside down: b = log(f / (1 − f)), positive where f is above a half.": (
            _of_right_gate(lambda f: math.log((1 - f) / f))
        ),
        "f / 1 − f is f − f, and 0 has no logarithm. Add parentheses: f / (1 − f).": [
            _of_right_gate(lambda f: math.log(f / 1 - f)),
            _of_right_gate(lambda f: -math.inf),  # torch's logarithm of 0
        ],
        "Use the natural logarithm, because σ uses powers of e.": (
            _of_right_gate(lambda f: math.log10(f / (1 - f)))
        ),
        "You raise the share to the power distance. The share is what is left at the end, so take "
        "the root, share ** (1 / distance).": (
            lambda distance, share: math.log(share**distance / (1 - share**distance))
        ),
    },
)
