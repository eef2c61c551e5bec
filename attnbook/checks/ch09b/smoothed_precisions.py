"""Exercise 9.5: ``smoothed_precisions``."""

from __future__ import annotations

import itertools
import math
from typing import Any

from attnbook.checks.shared import Inputs, same
from attnbook.exercises import Call, Exercise
from attnbook.exercises.trial import listed
from attnbook.exercises.values import shown


def smoothed_precisions(matches: Any, totals: Any, smoothing: Any) -> Any:
    """p_1 … p_4, smoothed as in sacreBLEU. Two lists of 4, a name → 4 floats."""
    if not any(matches):
        return [0.0] * 4
    found, zeros = [], 0
    for n in range(4):
        match, total = matches[n], totals[n]
        if smoothing == "add-k" and n > 0:
            match, total = match + 1, total + 1
        elif match == 0 and smoothing == "exp":
            zeros += 1
            match = 0.5**zeros
        elif match == 0 and smoothing == "floor":
            match = 0.1
        found.append(match / total)
    return found


SMOOTHINGS = "none", "floor", "add-k", "exp"


def _counts_and_kind() -> Inputs:
    for smoothing in SMOOTHINGS:
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


# Ways to get it wrong -----------------------------------------------------------------------------


def _with(
    halving: Any = lambda j, n, total: 0.5**j / total,
    floor: Any = lambda total: 0.1 / total,
    add: Any = (1, 1),
    first: int = 2,
    zeros_only: bool = False,
    nothing: Any = SMOOTHINGS,
    means: Any = same,
) -> Any:
    """Other smoothings; ``nothing`` are those that give 0 where not even one word matches, and
    ``means`` takes one smoothing for another."""

    def wrong(matches: Any, totals: Any, smoothing: str) -> Any:
        if smoothing in nothing and not any(matches):
            return [0.0] * 4
        smoothing = means(smoothing)
        found, zeros = [], 0
        for n, (match, total) in enumerate(zip(matches, totals), 1):
            zeros += match == 0
            if match == 0 and smoothing == "exp":
                found.append(halving(zeros, n, total))
            elif match == 0 and smoothing == "floor":
                found.append(floor(total))
            elif smoothing == "add-k" and n >= first and not (zeros_only and match):
                found.append((match + add[0]) / (total + add[1]))
            else:
                found.append(match / total)
        return found

    return wrong


# Rules --------------------------------------------------------------------------------------------


def _untouched(call: Call) -> str | None:
    given = {"matches": [4, 3, 2, 1], "totals": [5, 4, 3, 2]}
    for smoothing in ("none", "floor", "exp"):
        found = call(**given, smoothing=smoothing)
        for p, m, t in zip(found, *given.values()):
            if not math.isclose(p, m / t, rel_tol=1e-6):
                return (
                    f'With smoothing = "{smoothing}", {m} matches of {t} give {shown(p)}: what is '
                    f"not 0 is left alone, {m}/{t} = {shown(m / t)}."
                    + " // keeps only the whole number."
                    * (p == m // t)
                )
    return None


def _each(call: Call) -> str | None:
    """Every precision, with the number of matches that its smoothing makes of it."""
    zeros = 0
    for n, (m, t, p, right) in enumerate(
        zip(call.matches, call.totals, call.result, call.expected), 1
    ):
        zeros += m == 0
        if math.isclose(p, right, rel_tol=1e-5, abs_tol=1e-5):
            continue
        counted = f"{m}/{t}"
        why = "it is left alone"
        if not any(call.matches):
            counted, why = "0", "no order has a match at all, and then all four are 0"
        elif call.smoothing == "add-k" and n > 1:
            counted, why = f"({m} + 1)/({t} + 1)", "1 is added to matches and total from n = 2 on"
        elif m == 0 and call.smoothing == "floor":
            counted, why = f"0.1/{t}", "a zero counts as a tenth of a match"
        elif m == 0 and call.smoothing == "exp":
            counted = f"{shown(0.5**zeros)}/{t}"
            why = f"zero number {zeros} counts as ½ to the power {zeros} of a match"
        elif call.smoothing == "add-k":
            why = "n = 1 is left alone"
        given = ", ".join(listed(call.arguments))
        told = f"p_{n} is {shown(p)}, where {counted} = {shown(right)} is expected"
        return f"With {given}: {told}: {why}."
    return None


_HALF_ORDER = (
    "exp halves by the order n. It halves once more for each order that is *0*: the first of them "
    "gets ½ of a match, whatever its n."
)
_OTHER_TOTAL = "add-k adds 1 to the matches and another number to the total. It is 1 for both."
#: What each of these says is so with the exception for no match at all, and without it.
_OPTIONS: list[tuple[str, Any]] = [
    (_HALF_ORDER, {"halving": lambda j, n, total: 0.5**n / total}),
    (_HALF_ORDER, {"halving": lambda j, n, total: 0.5 ** (n - 1) / total}),
    *(
        (f"exp {told}", {"halving": halving})
        for told, halving in {
            "gives ½ of a match to every order that is 0. The second such order gets "
            "¼.": lambda j, n, total: 0.5 / total,
            "gives a whole match to the first order that is 0. It gets ½ of one, the second "
            "¼.": lambda j, n, total: 0.5 ** (j - 1) / total,
            "begins with ¼ of a match. The first order that is 0 gets ½ of one, the second "
            "¼.": lambda j, n, total: 0.5 ** (j + 1) / total,
            "gives 1/(2 j) of a match to the j-th order that is 0. It *halves*: ½, ¼, "
            "⅛.": lambda j, n, total: 1 / (2 * j) / total,
            "has e in it here. The j-th order that is 0 gets 0.5 ** j of a "
            "match.": lambda j, n, total: math.exp(-j) / total,
            "grows: the j-th order that is 0 gets 2 ** j matches. It is 0.5 ** "
            "j.": lambda j, n, total: 2**j / total,
            "puts ½, ¼, … in the place of the precision. It is that much of a *match*: divide "
            "by the total.": lambda j, n, total: 0.5**j,
            "puts ½ in the place of each precision that is 0. The j-th of them gets 0.5 ** j "
            "of a match, over the total.": lambda j, n, total: 0.5,
            "puts a power of ½ in the place of the precision, by the order n. The j-th order "
            "that is 0 gets 0.5 ** j of a match, over the total.": lambda j, n, total: 0.5**n,
        }.items()
    ),
    *(
        (
            f"floor puts {what} in the place of a zero. It is a tenth of a *match*: 0.1 / total.",
            {"floor": floor},
        )
        for what, floor in {
            "0.1": lambda total: 0.1,
            "a hundredth of a match": lambda total: 0.01 / total,
            "a whole match": lambda total: 1 / total,
            "half a match": lambda total: 0.5 / total,
        }.items()
    ),
    (
        "floor adds 0.1 to the total as well. Only the matches become 0.1.",
        {"floor": lambda total: 0.1 / (total + 0.1)},
    ),
    *(
        (f"add-k {told}", options)
        for told, options in {
            "adds to the single words as well. It leaves n = 1 alone (Lin and Och 2004).": {
                "first": 1
            },
            "leaves n = 2 alone as well. It adds from n = 2 on.": {"first": 3},
            "adds only where there is no match. It adds 1 to matches and total of every order "
            "from n = 2 on.": {"zeros_only": True},
            "adds only where there is no match, and to the matches alone. It adds 1 to matches "
            "and total of every order from n = 2 on.": {"zeros_only": True, "add": (1, 0)},
            "adds 1 to the matches alone. To the total as well: a perfect order stays 1.": {
                "add": (1, 0)
            },
            "adds 1 to the matches alone, and to those of the single words as well. Add to the "
            "total as well, from n = 2 on.": {"add": (1, 0), "first": 1},
            "adds 1 to the totals alone. To the matches as well.": {"add": (0, 1)},
            "adds 0.1 here. It adds 1.": {"add": (0.1, 0.1)},
            "adds ½ here. It adds 1.": {"add": (0.5, 0.5)},
        }.items()
    ),
    *((_OTHER_TOTAL, {"add": (1, more)}) for more in (2, 4)),
    *(
        (
            f'"{name}" is treated like "{other}".',
            {"means": lambda kind, name=name, other=other: other if kind == name else kind},
        )
        for name, other in itertools.permutations(SMOOTHINGS, 2)
    ),
]

CHECK = Exercise(
    "smoothed_precisions",
    reference=smoothed_precisions,
    inputs=_counts_and_kind,
    rules={
        "none, floor and exp leave alone what is not 0": _untouched,
        "each precision is its matches over its total, as the table smooths them": _each,
    },
    mistakes=[
        *(
            (told, _with(**options, nothing=nothing))
            for told, options in _OPTIONS
            for nothing in (SMOOTHINGS, ())
        ),
        *(
            (
                "Where not even one word matches, there is nothing to smooth: all four are 0.",
                _with(nothing=[name for i, name in enumerate(SMOOTHINGS) if which >> i & 1]),
            )
            for which in range(14)  # 14 is right: "none" gives 0 anyway
        ),
        *{
            "Nothing is smoothed: the argument smoothing has no effect.": _with(
                means=lambda kind: "none"
            ),
            "All four are 0 as soon as one order has no match. That is so where *no* order has "
            "one: not any(matches).": lambda matches, totals, smoothing: (
                smoothed_precisions(matches, totals, smoothing) if all(matches) else [0.0] * 4
            ),
            "These are percents. Precisions between 0 and 1 are "
            "asked.": lambda matches, totals, smoothing: [
                100 * p for p in smoothed_precisions(matches, totals, smoothing)
            ],
            "These are the smoothed matches. Divide by the "
            "totals.": lambda matches, totals, smoothing: [
                p * (t + (smoothing == "add-k" and n > 0 and any(matches)))
                for n, (p, t) in enumerate(
                    zip(smoothed_precisions(matches, totals, smoothing), totals)
                )
            ],
        }.items(),
    ],
)
