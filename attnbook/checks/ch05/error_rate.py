"""Exercise 5.4: ``error_rate``."""

from __future__ import annotations

from typing import Any

from attnbook.checks.ch05.shared import each, told
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise

Set = Any


def error_rate(found: Set, sure: Set, possible: Set) -> float:
    """AER = 1 − (|A∩S| + |A∩P|) / (|A| + |S|) of three sets of links (j, t)."""
    return 1 - (len(found & sure) + len(found & possible)) / (len(found) + len(sure))


def _links() -> Inputs:
    """Links by their two digits: 12 is (1, 2)."""
    for found, sure, more in (
        ("00 11", "00", ""),
        ("00 11", "00", "11"),
        ("00 12 21", "00 11 22", "12"),
        ("00 12 21 43 34 55", "12 21 43 54", "00 33"),
        ("10", "00 01", "11"),
        ("", "01 20", "11"),
        ("01 72", "", "01 33"),
        ("02 03 12 60 51", "02 13 60 25 31 44 78", "03 88"),
    ):
        a, s, more_than_sure = (
            {(int(link[0]), int(link[1])) for link in links.split()}
            for links in (found, sure, more)
        )
        yield {"found": a, "sure": s, "possible": s | more_than_sure}


def _of_sets(formula: Any) -> Any:
    """A function of A, S and P, with the names that the exercise has for them."""
    return lambda found, sure, possible: formula(found, sure, possible)


def _with_above(sets: Any) -> Any:
    """The solution with two other sets above the line."""
    return _of_sets(lambda a, s, p: 1 - sum(map(len, sets(a, s, p))) / (len(a) + len(s)))


def _with_below(number: Any) -> Any:
    """The solution with another number below the line."""
    return _of_sets(lambda a, s, p: 1 - (len(a & s) + len(a & p)) / number(a, s, p))


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
        *each(
            _of_sets,
            (
                "The possible links are not used: a link that may be there counts as wrong.",
                lambda a, s, p: error_rate(a, s, s),
            ),
            (
                "This is 1 minus precision: links that were not found cost nothing.",
                lambda a, s, p: 1 - len(a & p) / len(a),
            ),
            (
                "This is 1 minus recall: links that are wrong cost nothing.",
                lambda a, s, p: 1 - len(a & s) / len(s),
            ),
            (
                "This is 1 minus the mean of precision and recall. The formula adds up above and "
                "below the line before it divides.",
                lambda a, s, p: 1 - (len(a & p) / len(a) + len(a & s) / len(s)) / 2,
            ),
            (
                "This is 1 minus the F-measure of precision and recall. The formula adds up above "
                "and below the line before it divides.",
                lambda a, s, p: 1 - 2 / (len(a) / len(a & p) + len(s) / len(a & s)),
            ),
            *told(
                "Only |A∩P| is divided: / comes before +, so there are brackets around "
                "|A∩S| + |A∩P|.",
                lambda a, s, p: 1 - len(a & s) + len(a & p) / (len(a) + len(s)),
                lambda a, s, p: 1 - (len(a & s) + len(a & p) / (len(a) + len(s))),
            ),
            (
                "The division ends at |A|: without brackets around |A| + |S| the sum comes after "
                "it.",
                lambda a, s, p: 1 - (len(a & s) + len(a & p)) / len(a) + len(s),
            ),
            (
                "The 1 is within the division: it is 1 − (… / …), not (1 − …) / ….",
                lambda a, s, p: (1 - len(a & s) - len(a & p)) / (len(a) + len(s)),
            ),
            (
                "// leaves whole numbers only. A rate needs /.",
                lambda a, s, p: 1 - (len(a & s) + len(a & p)) // (len(a) + len(s)),
            ),
        ),
        *each(
            lambda change: lambda found, sure, possible: change(error_rate(found, sure, possible)),
            ("This is the share of what is right. An error rate is 1 minus it.", lambda x: 1 - x),
            ("This is in percent: the formula gives a number between 0 and 1.", lambda x: 100 * x),
            ("This is the share of what is right, in percent.", lambda x: 100 * (1 - x)),
            ("The sign is turned: it is 1 minus the share, not the share minus 1.", lambda x: -x),
            *told("The rate is rounded: give it back as it is.", lambda x: round(x, 2), round),
        ),
        (
            "Every possible link is demanded here. Only the sure ones must be found; which set "
            "belongs into the denominator?",
            _with_below(lambda a, s, p: len(a) + len(p)),
        ),
        *each(
            _with_below,
            ("The links found are missing below the line.", lambda a, s, p: len(s)),
            ("The sure links are missing below the line.", lambda a, s, p: len(a)),
            ("Sure and possible links stand below the line.", lambda a, s, p: len(s) + len(p)),
            ("All three sets stand below the line.", lambda a, s, p: len(a) + len(s) + len(p)),
            ("The links found are counted twice below the line.", lambda a, s, p: 2 * len(a)),
            end=" The formula has |A| + |S|.",
        ),
        *each(
            _with_below,
            ("The denominator is the union of both sets.", lambda a, s, p: len(a | s)),
            ("The denominator is the union of all three sets.", lambda a, s, p: len(a | s | p)),
            end=" The formula counts |A| and |S| each.",
        ),
        (
            "A sure link that was found counts once here. It is in P as well, and so it counts "
            "twice.",
            _with_above(lambda a, s, p: (a & s, a & (p - s))),
        ),
        *each(
            _with_above,
            ("|A∩P| is missing above the line.", lambda a, s, p: (a & s, ())),
            ("The possible links are counted, found or not.", lambda a, s, p: (a & s, p)),
            ("The sure links are counted, found or not.", lambda a, s, p: (s, a & p)),
            ("This counts A ∪ P, the union (|).", lambda a, s, p: (a & s, a | p)),
            ("This counts A ∪ S, the union (|).", lambda a, s, p: (a | s, a & p)),
            ("This counts both unions (|), A ∪ S and A ∪ P.", lambda a, s, p: (a | s, a | p)),
            ("What is found but not possible is counted.", lambda a, s, p: (a & s, a - p)),
            ("What is found but not sure is counted.", lambda a, s, p: (a - s, a & p)),
            ("S ∩ P is counted above the line.", lambda a, s, p: (a & s, s & p)),
            end=" The formula has the intersections A ∩ S and A ∩ P, written &.",
        ),
        *each(
            lambda seen: (
                lambda found, sure, possible: error_rate(
                    *({seen(link) for link in links} for links in (found, sure, possible))
                )
            ),
            ("Only the first number of each link is compared.", lambda link: link[0]),
            ("Only the second number of each link is compared.", lambda link: link[1]),
            ("The order within a link does not count here.", lambda link: tuple(sorted(link))),
            ("The links are compared by j + t.", sum),
            end=" A link is a pair (j, t).",
        ),
    ],
)
