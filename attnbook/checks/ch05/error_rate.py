"""Exercise 5.4: ``error_rate``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnbook.checks.shared import Inputs, relatives
from attnbook.exercises import Call, Exercise


def error_rate(found: Set, sure: Set, possible: Set) -> float:
    """AER = 1 − (|A∩S| + |A∩P|) / (|A| + |S|) of three sets of links (j, t)."""
    return 1 - (len(found & sure) + len(found & possible)) / (len(found) + len(sure))


def _links() -> Inputs:
    yield {"found": {(0, 0), (1, 1)}, "sure": {(0, 0)}, "possible": {(0, 0)}}
    yield {"found": {(0, 0), (1, 1)}, "sure": {(0, 0)}, "possible": {(0, 0), (1, 1)}}
    yield {
        "found": {(0, 0), (1, 2), (2, 1)},
        "sure": {(0, 0), (1, 1), (2, 2)},
        "possible": {(0, 0), (1, 1), (2, 2), (1, 2)},
    }
    yield {
        "found": {(0, 0), (1, 2), (2, 1), (4, 3), (3, 4), (5, 5)},
        "sure": {(1, 2), (2, 1), (4, 3), (5, 4)},
        "possible": {(1, 2), (2, 1), (4, 3), (5, 4), (0, 0), (3, 3)},
    }
    yield {"found": {(1, 0)}, "sure": {(0, 0), (0, 1)}, "possible": {(0, 0), (0, 1), (1, 1)}}
    yield {"found": set(), "sure": {(0, 1), (2, 0)}, "possible": {(0, 1), (2, 0), (1, 1)}}
    yield {"found": {(0, 1), (7, 2)}, "sure": set(), "possible": {(0, 1), (3, 3)}}
    yield {
        "found": {(0, 2), (0, 3), (1, 2), (6, 0), (5, 1)},
        "sure": {(0, 2), (1, 3), (6, 0), (2, 5), (3, 1), (4, 4), (7, 8)},
        "possible": {(0, 2), (1, 3), (6, 0), (2, 5), (3, 1), (4, 4), (7, 8), (0, 3), (8, 8)},
    }


Set = Any


def _error_rate(
    found: Set,
    sure: Set,
    possible: Set,
    *,
    of_link: Callable[[Any], Any] | None = None,
    right_sure: Callable[[Set, Set], int] = lambda a, s: len(a & s),
    right_possible: Callable[[Set, Set, Set], int] = lambda a, s, p: len(a & p),
    below: Callable[[Set, Set, Set], float] = lambda a, s, p: len(a) + len(s),
    rate: Callable[[float, float, int], float] = lambda above, below, sure: 1 - above / below,
) -> float:
    """The alignment error rate (Och and Ney 2003, §2.2), and what it is with one part wrong."""
    if of_link is not None:
        found, sure, possible = ({of_link(link) for link in x} for x in (found, sure, possible))
    above = right_sure(found, sure) + right_possible(found, sure, possible)
    return rate(above, below(found, sure, possible), len(sure))


def _perfect(call: Call) -> str | None:
    if not call.sure:
        return None
    rate = float(call(found=set(call.sure)))
    if abs(rate) < 1e-6:
        return None
    return f"When exactly the sure links are found, the error rate should be 0; it is {rate:.2f}."


def _nothing_right(call: Call) -> str | None:
    rate = float(call(found={(90, 90), (91, 91)}))
    if abs(rate - 1) < 1e-6:
        return None
    return f"When no link that was found is possible, the error rate should be 1; it is {rate:.2f}."


def _forgiven(call: Call) -> str | None:
    extra = set(call.possible) - set(call.found)
    if not extra or float(call(found=set(call.found) | extra)) <= float(call.result) + 1e-6:
        return None
    return "Finding links that are possible makes the error rate larger. Which set forgives them?"


def _missed(call: Call) -> str | None:
    if not call.found & call.possible:
        return None
    rate = float(call(sure=call.sure | {(92, 92)}, possible=call.possible | {(92, 92)}))
    if rate > float(call.result) + 1e-6:
        return None
    return (
        "With one more sure link, which was not found, the error rate should rise; it goes from "
        f"{float(call.result):.4g} to {rate:.4g}."
    )


def _by_counts(call: Call) -> str | None:
    if abs(float(call.result) - call.expected) < 1e-5:
        return None
    a, s, p = call.found, call.sure, call.possible
    return (
        f"Here |A∩S| = {len(a & s)}, |A∩P| = {len(a & p)}, |A| = {len(a)} and |S| = {len(s)}, so "
        f"the rate is 1 − {len(a & s) + len(a & p)} / {len(a) + len(s)} = {call.expected:.4g}; "
        f"{float(call.result):.4g} is returned."
    )


def _between(call: Call) -> str | None:
    if -1e-6 <= float(call.result) <= 1 + 1e-6:
        return None
    return f"The error rate is {float(call.result):.4g}; it lies between 0 and 1."


CHECK = Exercise(
    "error_rate",
    reference=error_rate,
    inputs=_links,
    rules={
        "the error rate lies between 0 and 1": _between,
        "finding exactly the sure links is no error": _perfect,
        "finding nothing that is possible is an error rate of 1": _nothing_right,
        "a possible link is never held against you": _forgiven,
        "a sure link that was not found counts as an error": _missed,
        "the rate follows from four counts": _by_counts,
    },
    mistakes=[
        (
            "The possible links are not used: a link that may be there counts as wrong.",
            lambda found, sure, possible: _error_rate(found, sure, sure),
        ),
        (
            "This is 1 minus precision: links that were not found cost nothing.",
            lambda found, sure, possible: 1 - len(found & possible) / len(found),
        ),
        (
            "This is 1 minus recall: links that are wrong cost nothing.",
            lambda found, sure, possible: 1 - len(found & sure) / len(sure),
        ),
        (
            "This is 1 minus the mean of precision and recall. The formula adds up above and "
            "below the line before it divides.",
            lambda found, sure, possible: (
                1 - (len(found & possible) / len(found) + len(found & sure) / len(sure)) / 2
            ),
        ),
        (
            "This is 1 minus the F-measure of precision and recall. The formula adds up above and "
            "below the line before it divides.",
            lambda found, sure, possible: (
                lambda p, r: 1 - 2 * p * r / (p + r)
            )(len(found & possible) / len(found), len(found & sure) / len(sure)),
        ),
        (
            "Only |A∩P| is divided: / comes before +, so there are brackets around "
            "|A∩S| + |A∩P|.",
            lambda found, sure, possible: (
                1 - len(found & sure) + len(found & possible) / (len(found) + len(sure))
            ),
        ),
        (
            "Only |A∩P| is divided: / comes before +, and the brackets stand around all of it, "
            "not around |A∩S| + |A∩P|.",
            lambda found, sure, possible: (
                1 - (len(found & sure) + len(found & possible) / (len(found) + len(sure)))
            ),
        ),
        *relatives(
            _error_rate,
            rate={
                "This is the share of what is right. An error rate is 1 minus it.":
                    lambda above, below, sure: above / below,
                "The division ends at |A|: without brackets around |A| + |S| the sum comes after "
                "it.": lambda above, below, sure: 1 - above / (below - sure) + sure,
                "// leaves whole numbers only. A rate needs /.":
                    lambda above, below, sure: 1 - above // below,
                "This is in percent: the formula gives a number between 0 and 1.":
                    lambda above, below, sure: 100 * (1 - above / below),
                "This is in percent, and without 1 −: the formula gives a number between 0 and 1.":
                    lambda above, below, sure: 100 * above / below,
                "The sign is turned: it is 1 minus the share, not the share minus 1.":
                    lambda above, below, sure: above / below - 1,
                "The 1 is within the division: it is 1 − (… / …), not (1 − …) / ….":
                    lambda above, below, sure: (1 - above) / below,
                "The rate is rounded: give it back as it is.":
                    lambda above, below, sure: round(1 - above / below, 2),
                "The rate is rounded: give it back as it comes.":
                    lambda above, below, sure: round(1 - above / below),
            },
            below={
                "Every possible link is demanded here. Only the sure ones must be found; which set "
                "belongs into the denominator?": lambda a, s, p: len(a) + len(p),
                "The denominator is the union of both sets. The formula counts |A| and |S| each.":
                    lambda a, s, p: len(a | s),
                "The denominator is the union of all three sets. The formula counts |A| and |S| "
                "each.": lambda a, s, p: len(a | s | p),
                "The links found are missing below the line: it is |A| + |S|.":
                    lambda a, s, p: len(s),
                "The sure links are missing below the line: it is |A| + |S|.":
                    lambda a, s, p: len(a),
                "Sure and possible links stand below the line. The formula has |A| + |S|.":
                    lambda a, s, p: len(s) + len(p),
                "All three sets stand below the line. The formula has |A| + |S|.":
                    lambda a, s, p: len(a) + len(s) + len(p),
                "The links found are counted twice below the line. The formula has |A| + |S|.":
                    lambda a, s, p: 2 * len(a),
            },
            right_possible={
                "A sure link that was found counts once here. It is in P as well, and so it counts "
                "twice.": lambda a, s, p: len(a & (p - s)),
                "|A∩P| is missing above the line.": lambda a, s, p: 0,
                "The possible links are counted whether they were found or not: it is |A∩P|.":
                    lambda a, s, p: len(p),
                "This counts A ∪ P, the union (|). The formula has A ∩ P, the intersection (&).":
                    lambda a, s, p: len(a | p),
                "What is found but not possible is counted: the formula has A ∩ P, written &.":
                    lambda a, s, p: len(a - p),
                "S ∩ P is counted above the line. The formula has A ∩ P.":
                    lambda a, s, p: len(s & p),
            },
            right_sure={
                "This counts A ∪ S, the union (|). The formula has A ∩ S, the intersection (&).":
                    lambda a, s: len(a | s),
                "What is found but not sure is counted: the formula has A ∩ S, written &.":
                    lambda a, s: len(a - s),
                "The sure links are counted whether they were found or not: it is |A∩S|.":
                    lambda a, s: len(s),
            },
            of_link={
                "Only the first number of each link is compared. A link is a pair (j, t).":
                    lambda link: link[0],
                "Only the second number of each link is compared. A link is a pair (j, t).":
                    lambda link: link[1],
                "The order within a link does not count here. (j, t) and (t, j) are two links.":
                    lambda link: tuple(sorted(link)),
                "The links are compared by j + t. A link is a pair (j, t).": sum,
            },
        ),
    ],
)  # fmt: skip
