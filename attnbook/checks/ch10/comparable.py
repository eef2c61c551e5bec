"""Exercise 10.5: ``comparable``."""

from __future__ import annotations

from collections.abc import Callable

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
    yield {"first": _OURS.replace("smooth:exp|", ""), "second": _OURS}
    yield {"first": _OURS.replace("nrefs:1", "nrefs:5"), "second": _OURS}
    yield {"first": _OURS, "second": "|".join(reversed(_OURS.split("|")))}
    front = "version:2.0.0|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp"
    yield {"first": front, "second": front.replace("2.0.0", "2.6.0")}
    yield {"first": _OURS, "second": front}
    yield {"first": _OURS.replace("eff:no", "eff:yes"), "second": front}
    yield {"first": _OURS, "second": front.replace("smooth:exp", "smooth:floor")}
    yield {"first": _OURS.replace("tok:13a", "tok:ja-mecab"),
           "second": _OURS.replace("tok:13a", "tok:JA-MECAB")}  # fmt: skip
    more = "nrefs:1|case:mixed|eff:no|rescale:yes|tok:13a|smooth:exp|version:2.6.0"
    yield {"first": more, "second": more.replace("no|rescale:yes", "yes|rescale:no")}


def _fields(signature: str) -> dict[str, str]:
    fields = dict(part.split(":", 1) for part in signature.split("|"))
    return {key: value for key, value in fields.items() if key != "version"}


def _comparable(first: str, second: str) -> bool:
    return _fields(first) == _fields(second)


def _by_its_fields(call: Call) -> str | None:
    for first, second in (
        (call.first, call.second),
        (call.second, call.first),
        (_OURS, _OURS.replace("2.6.0", "2.0.0")),
        (_OURS, _OURS.replace("case:mixed", "case:lc")),
    ):
        got, right = call(first=first, second=second), _comparable(first, second)
        if bool(got) == right:
            continue
        one, other = _fields(first), _fields(second)
        unlike = [
            f"{key} ({one.get(key, 'not there')} and {other.get(key, 'not there')})"
            for key in sorted(one.keys() | other.keys())
            if one.get(key) != other.get(key)
        ]
        pair = f'For "{first}" and "{second}" {got} comes back. '
        if right:
            return pair + "Nothing but the version or the order differs, so they are comparable."
        return pair + f"They differ in {', '.join(unlike)}, so they are not."
    return None


def _kept(signature: str, *left_out: str) -> dict[str, str]:
    fields = dict(part.split(":", 1) for part in signature.split("|"))
    return {key: value for key, value in fields.items() if key not in left_out}


def _without(name: str) -> Callable[[str, str], bool]:
    """The comparison of all fields but the version and one more."""
    return lambda first, second: _kept(first, "version", name) == _kept(second, "version", name)


CHECK = Exercise(
    "comparable",
    reference=_comparable,
    inputs=_signatures,
    rules={"all fields but the version agree, in whatever order": _by_its_fields},
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
        Mistake(
            "The version is compared, too. It says who computed, not how.",
            lambda first, second: _kept(first) == _kept(second),
        ),
        Mistake(
            "This compares position by position: the same fields in another order are called "
            "different. Look the fields up by their name.",
            lambda first, second: list(_fields(first).items()) == list(_fields(second).items()),
        ),
        Mistake(
            "This compares the fields' names, and not their values.",
            lambda first, second: _fields(first).keys() == _fields(second).keys(),
        ),
        Mistake(
            "This compares the values without their names: the same value may stand in another "
            "field.",
            lambda first, second: (
                sorted(_fields(first).values()) == sorted(_fields(second).values())
            ),
        ),
        Mistake(
            "This compares the values without their names: the same value may stand in another "
            "field.",
            lambda first, second: set(_fields(first).values()) == set(_fields(second).values()),
        ),
        Mistake(
            "The last field is taken for the version. Look for its name: it may stand anywhere.",
            lambda first, second: set(first.split("|")[:-1]) == set(second.split("|")[:-1]),
        ),
        Mistake(
            "Capitals are overlooked. Values are the same only if they are so letter by letter.",
            lambda first, second: _fields(first.lower()) == _fields(second.lower()),
        ),
        Mistake(
            "A field that only the second has is overlooked. Compare both ways.",
            lambda first, second: _fields(first).items() <= _fields(second).items(),
        ),
        Mistake(
            "A field that only the first has is overlooked. Compare both ways.",
            lambda first, second: _fields(second).items() <= _fields(first).items(),
        ),
        *(
            Mistake(
                f"The field {left_out} may differ here. Only the version may.",
                _without(left_out),
            )
            for left_out in ("case", "tok", "smooth", "nrefs", "eff")
        ),
        Mistake(
            "It is the wrong way round: True means that the two may be compared.",
            lambda first, second: _fields(first) != _fields(second),
        ),
    ],
)
