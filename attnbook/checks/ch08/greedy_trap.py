"""Exercise 8.1: ``greedy_trap``."""

import math

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise


def greedy_trap(p: float) -> tuple[list[float], list[float]]:
    """(probabilities after a, probabilities after b), two lists; greedy search takes a."""
    words = math.ceil(p / (1 - p)) + 1
    return [1 / words] * words, [1.0]


def _shares() -> Inputs:
    for p in (0.6, 0.51, 0.75, 0.9, 0.987, 0.99987):
        yield {"p": p}


def _pair_of_lists(call: Call) -> str | None:
    if len(call.result) != 2 or not all(isinstance(row, list) and row for row in call.result):
        return "Return two lists of numbers: what can follow a, and what can follow b."
    return None


def _distributions(call: Call) -> str | None:
    for name, row, first in zip(("a", "b"), call.result, (call.p, 1 - call.p)):
        if any(not 0 <= x <= 1 for x in row) or abs(sum(row) - 1) > 1e-6:
            message = (
                f"What follows {name} sums to {sum(row):.3g}. Something always follows: the "
                "probabilities are between 0 and 1 and sum to 1."
            )
            if not any(row):
                message += " // cuts a share to 0: use /."
            elif abs(sum(row) - first) < 1e-6:
                message += (
                    f" These are probabilities of whole sentences: they share the {first:.3g}"
                )
                message += (
                    f" of {name}. Return the shares of what follows once {name} has been written."
                )
            return message
    return None


def _greedy_loses(call: Call) -> str | None:
    after_a, after_b = (max(row) for row in call.result)
    greedy, other = call.p * after_a, (1 - call.p) * after_b
    if other > greedy + 1e-9:
        return None
    message = (
        f"Greedy search takes a ({call.p:g}) and ends with {greedy:.3g}; the best that begins "
    )
    message += f"with b ({1 - call.p:.2g}) has {other:.3g}, which must be *more*. "
    if after_a > 1 - 1e-9 and after_b < 1 - 1e-9:
        return message + "What follows a is certain, but what follows b is open: swap the lists."
    if after_b < 1 - 1e-9:
        return message + (
            f"The largest share after b can be as high as 1, but here it is {after_b:.3g}."
        )
    most = (1 - call.p) / call.p
    message += f"The largest share after a is {after_a:.3g}, but must be below (1 − p) / p = "
    words = len(call.result[0])
    few = f"{words} word{'s are' if words > 1 else ' is'} too few"
    return message + f"{most:.3g}: " + (f"{few}." if words * most <= 1 else "share more equally.")


CHECK = Exercise(
    greedy_trap,
    inputs=_shares,
    rules={
        "two lists are returned": _pair_of_lists,
        "each list is a distribution": _distributions,
        "greedy search ends with the less probable sentence": _greedy_loses,
    },
    mistakes={
        "You return two numbers. Return two *lists*: all that can follow a, and all that can "
        "follow b; each list sums to 1.": (lambda p: (1 / (int(p / (1 - p)) + 2), 1.0)),
    },
    compare=False,
)
