"""Exercise 5.4: ``error_rate``."""

from collections.abc import Callable

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise, Function

Set = set[tuple[int, int]]


def error_rate(found: Set, sure: Set, possible: Set) -> float:
    """AER = 1 − (|A∩S| + |A∩P|) / (|A| + |S|) of three sets of links (j, t)."""
    return 1 - (len(found & sure) + len(found & possible)) / (len(found) + len(sure))


def _set(links: str) -> Set:
    """Links by their two digits: 12 is (1, 2)."""
    return {(int(link[0]), int(link[1])) for link in links.split()}


def _links() -> Inputs:
    for found, sure, more in (
        ("00", "00", ""),
        ("00 11", "00", ""),
        ("00 11", "00", "11"),
        ("00 12 21", "00 11 22", "12"),
        ("00 12 21 43 34 55", "12 21 43 54", "00 33"),
        ("10", "00 01", "11"),
        ("", "01 20", "11"),
        ("01 72", "", "01 33"),
        ("02 03 12 60 51", "02 13 60 25 31 44 78", "03 88"),
    ):
        yield {"found": _set(found), "sure": _set(sure), "possible": _set(f"{sure} {more}")}


def _by_counts(call: Call) -> str | None:
    if abs(float(call.result) - call.expected) < 1e-5:
        return None
    a, s, p = call.found, call.sure, call.possible
    return (
        f"Here |A∩S| = {len(a & s)}, |A∩P| = {len(a & p)}, |A| = {len(a)} and |S| = {len(s)}, so "
        f"the rate is 1 − {len(a & s) + len(a & p)} / {len(a) + len(s)} = {call.expected:.4g}; "
        f"{float(call.result):.4g} is returned."
    )


def _counted(rate: Callable[[int, int, int, int, int], float]) -> Function:
    """Something else made of |A∩S|, |A∩P|, |A|, |S| and |P|."""
    return lambda found, sure, possible: rate(
        len(found & sure), len(found & possible), len(found), len(sure), len(possible)
    )


CHECK = Exercise(
    error_rate,
    inputs=_links,
    rules={"the rate follows from four counts": _by_counts},
    mistakes={
        "The possible links are not used: a link that may be there counts as wrong.": (
            _counted(lambda in_s, in_p, a, s, p: 1 - 2 * in_s / (a + s))
        ),
        "This is 1 minus precision: links that were not found cost nothing.": (
            _counted(lambda in_s, in_p, a, s, p: 1 - in_p / a)
        ),
        "Every possible link is demanded here. Only the sure ones must be found; which set "
        "belongs into the denominator?": (
            _counted(lambda in_s, in_p, a, s, p: 1 - (in_s + in_p) / (a + p))
        ),
        "A sure link that was found counts once here. It is in P as well, and so it counts "
        "twice.": _counted(lambda in_s, in_p, a, s, p: 1 - in_p / (a + s)),
    },
)
