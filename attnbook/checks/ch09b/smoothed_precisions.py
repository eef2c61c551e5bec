"""Exercise 9.5: ``smoothed_precisions``."""

import math
from typing import Any

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise
from attnbook.exercises.trial import as_statements
from attnbook.exercises.values import fmt


def smoothed_precisions(matches: Any, totals: Any, smoothing: Any) -> Any:
    """p_1 … p_4, smoothed as in sacreBLEU. Two lists of 4, a name → 4 floats."""
    if not any(matches):
        return [0.0] * 4
    precisions, zeros = [], 0
    for n in range(4):
        match, total = matches[n], totals[n]
        if smoothing == "add-k" and n > 0:
            match, total = match + 1, total + 1
        elif match == 0 and smoothing == "exp":
            zeros += 1
            match = 0.5**zeros
        elif match == 0 and smoothing == "floor":
            match = 0.1
        precisions.append(match / total)
    return precisions


def _counts_and_kind() -> Inputs:
    for smoothing in ("none", "floor", "add-k", "exp"):
        for matches, totals in (
            ([3, 1, 0, 0], [4, 3, 2, 1]),
            ([5, 0, 0, 0], [7, 6, 5, 4]),
            ([0, 0, 0, 0], [6, 5, 4, 3]),
            ([4, 3, 2, 1], [5, 4, 3, 2]),
            ([9, 6, 2, 0], [12, 11, 9, 7]),
            ([4, 0, 1, 0], [6, 5, 4, 3]),  # what is 0 is counted, not what follows it
            ([4, 3, 2, 1], [4, 3, 2, 1]),
        ):
            yield {"matches": matches, "totals": totals, "smoothing": smoothing}


def _each(call: Call) -> str | None:
    """Every precision, with the number of matches that its smoothing makes of it."""
    zeros = 0
    for n, (m, t, p, expected) in enumerate(
        zip(call.matches, call.totals, call.result, call.expected), 1
    ):
        zeros += m == 0
        if math.isclose(p, expected, rel_tol=1e-5, abs_tol=1e-5):
            continue
        counted = f"{m}/{t}"
        why = "it is left alone"
        if not any(call.matches):
            why = "no order has a match at all, and then all four are 0"
        elif call.smoothing == "add-k" and n > 1:
            counted, why = f"({m} + 1)/({t} + 1)", "1 is added to matches and total from n = 2 on"
        elif m == 0 and call.smoothing == "floor":
            counted, why = f"0.1/{t}", "a zero counts as a tenth of a match"
        elif m == 0 and call.smoothing == "exp":
            counted = f"{fmt(0.5**zeros)}/{t}"
            why = f"zero number {zeros} counts as ½ to the power {zeros} of a match"
        elif call.smoothing == "add-k":
            why = "n = 1 is left alone"
        arguments = ", ".join(as_statements(call.arguments))
        message = f"p_{n} is {fmt(p)}, where {counted} = {fmt(expected)} is expected"
        return f"With {arguments}: {message}: {why}."
    return None


def _by_the_order(matches: Any, totals: Any, smoothing: str) -> list[float]:
    precisions = smoothed_precisions(matches, totals, smoothing)
    if smoothing == "exp" and any(matches):
        for n in range(4):
            precisions[n] = precisions[n] if matches[n] else 0.5 ** (n + 1) / totals[n]
    return precisions


CHECK = Exercise(
    smoothed_precisions,
    inputs=_counts_and_kind,
    rules={
        "each precision is its matches over its total, as the table smooths them": _each,
    },
    mistakes={
        "exp halves by the order n. It halves once more for each order that is *0*: the first "
        "of them gets ½ of a match, whatever its n.": _by_the_order,
    },
)
