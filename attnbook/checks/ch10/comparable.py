"""Exercise 10.5: ``comparable``."""

from __future__ import annotations

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake

# comparable ---------------------------------------------------------------------------------------

_OURS = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"


def _signatures() -> Inputs:
    yield {"first": _OURS, "second": _OURS}
    yield {"first": _OURS, "second": _OURS.replace("2.6.0", "2.0.0")}
    yield {"first": _OURS, "second": _OURS.replace("case:mixed", "case:lc")}
    yield {"first": _OURS, "second": _OURS.replace("tok:13a", "tok:none")}
    yield {"first": _OURS, "second": "case:mixed|nrefs:1|eff:no|tok:13a|smooth:exp|version:2.4.3"}
    yield {"first": _OURS, "second": _OURS.replace("smooth:exp|", "")}
    yield {"first": _OURS.replace("nrefs:1", "nrefs:5"), "second": _OURS}


def _fields(signature: str) -> dict[str, str]:
    fields = dict(part.split(":", 1) for part in signature.split("|"))
    return {key: value for key, value in fields.items() if key != "version"}


def _comparable(first: str, second: str) -> bool:
    return _fields(first) == _fields(second)


def _case_matters(call: Call) -> str | None:
    if not call(first=_OURS, second=_OURS.replace("case:mixed", "case:lc")):
        return None
    return (
        "A cased and a lowercased BLEU are called comparable. The second forgives every wrong "
        "capital letter: which fields of the signature must agree?"
    )


def _version_does_not(call: Call) -> str | None:
    if call(first=_OURS, second=_OURS.replace("2.6.0", "2.0.0")):
        return None
    return (
        "Two signatures that differ in the version of the program alone are called incomparable. "
        "The version says who computed, not how."
    )


CHECK = Exercise(
    "comparable",
    reference=_comparable,
    inputs=_signatures,
    rules={
        "the version of the program may differ": _version_does_not,
        "case, tokeniser, smoothing and number of references may not": _case_matters,
        "what is comparable one way round is so the other way round": lambda call: (
            call(first=call.second, second=call.first) == call.result
        ),
    },
    mistakes=[
        Mistake(
            "This asks for the same string, letter by letter. The version says who computed, not "
            "how, and the order of the fields says nothing.",
            lambda first, second: first == second,
        ),
        Mistake(
            "This looks at the tokeniser alone. Lowercasing and the number of references change "
            "the number too.",
            lambda first, second: (
                dict(p.split(":") for p in first.split("|")).get("tok")
                == dict(p.split(":") for p in second.split("|")).get("tok")
            ),
        ),
        Mistake(
            "This compares position by position: the same fields in another order are called "
            "different. Look the fields up by their name.",
            lambda first, second: first.split("|")[:-1] == second.split("|")[:-1],
        ),
        Mistake(
            "This compares the fields that both signatures have. One that leaves the smoothing "
            "out does not say that it is the same.",
            lambda first, second: all(
                _fields(first)[key] == _fields(second)[key]
                for key in _fields(first).keys() & _fields(second).keys()
            ),
        ),
    ],
)
