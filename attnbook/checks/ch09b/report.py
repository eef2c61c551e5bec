"""Exercise 9.8: ``report``."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from attnbook.checks.ch09.shared import sentences
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import difference, shown
from attnlib import metrics


def report(first: Any, second: Any, references: Any, trials: Any, seed: Any) -> Any:
    """What a report says of two systems. Three lists of texts, two ints → dict."""
    compared = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    higher = "first" if compared.first > compared.second else "second"
    return {
        "sentences": len(references),
        "bleu": (round(compared.first, 1), round(compared.second, 1)),
        "difference": round(compared.first - compared.second, 1),
        "interval": (round(compared.low, 1), round(compared.high, 1)),
        "p": round(p, 3),
        "better": higher if p <= 0.05 else "undecided",
        "signature": metrics.Settings().signature(),
    }


def _comparisons() -> Inputs:
    for n, one, other, damage, trials, seed in (
        (6, 0.95, 0.8, 5, 19, 1),  # p is 0.05 exactly: that is small enough
        (6, 0.95, 0.8, 1, 40, 1),  # the interval leaves out 0, and p is 0.1
        (6, 0.95, 0.8, 1, 19, 1),  # the same, and p is 0.15
        (6, 0.8, 0.95, 6, 40, 1),  # the second is better
        (6, 0.95, 0.8, 3, 40, 3),
        (6, 0.95, 0.8, 5, 198, 3),  # p is a little above 0.05, and rounds to it
        (12, 0.95, 0.8, 1, 40, 3),  # p is small, and 0 lies in the interval
    ):
        first, references = sentences(n, n, one, damage=damage)
        second = sentences(n, n, other, damage=damage + 10)[0]
        yield _given(first, second, references, trials, seed)
    first, references = sentences(6, 1, 0.95, damage=5)  # one sentence
    yield _given(first, references, references, 19, 1)
    small, references = sentences(6, 6, 0.95, damage=1)  # only the capitals differ
    large, references = ([x.capitalize() for x in texts] for texts in (small, references))
    yield _given(large, small, references, 40, 1)
    words = "one two three four five six seven eight nine"
    back = " ".join(words.split()[::-1])  # p is small, and the difference is 0.04
    second = [back.replace("five", "ten")] * 7 + [back] * 2
    yield _given([back] * 9, second, [words] * 9, 40, 1)


def _given(*values: Any) -> dict[str, Any]:
    return dict(zip(("first", "second", "references", "trials", "seed"), values))


# Rules --------------------------------------------------------------------------------------------


def _entry(key: str, why: str) -> Callable[[Call], str | None]:
    def rule(call: Call) -> str | None:
        found, right = call.result[key], call.expected[key]
        if difference(found, right) is None:
            return None
        return f'"{key}" is {shown(found)}, where {shown(right)} is expected: {why}'

    return rule


def _named(call: Call) -> str | None:
    found, right = call.result["better"], call.expected["better"]
    if found == right:
        return None
    p = metrics.approximate_randomization(
        call.first, call.second, call.references, trials=call.trials, seed=call.seed
    )
    one, other = call.expected["bleu"]
    return (
        f'"better" is {shown(found)}, where {shown(right)} is expected: p is {p:.5f}, and the '
        f"scores are {one} and {other}."
    )


# Ways to get it wrong -----------------------------------------------------------------------------


@lru_cache(maxsize=512)
def _facts(first: Any, second: Any, references: Any, trials: int, seed: int, **how: Any) -> Any:
    texts = first, second, references
    compared = metrics.paired_bootstrap(*texts, samples=trials, seed=seed, **how)
    p = metrics.approximate_randomization(*texts, trials=trials, seed=seed, **how)
    return compared, p


def _with(
    trials: Any = None, seed: Any = None, turned: Any = False, how: Any = None, **entries: Any
) -> Any:
    """The report with other entries, each made of the comparison, p and all that is given."""

    def wrong(**given: Any) -> Any:
        texts = [tuple(given[name]) for name in ("first", "second", "references")]
        texts[:2] = texts[:2][::-1] if turned else texts[:2]
        numbers = trials or given["trials"], given["seed"] if seed is None else seed
        compared, p = _facts(*texts, *numbers, **(how or {}))
        right = _right(compared, p, given)
        return right | {key: make(compared, p, given) for key, make in entries.items()}

    def positional(first: Any, second: Any, references: Any, trials: Any, seed: Any) -> Any:
        return wrong(first=first, second=second, references=references, trials=trials, seed=seed)

    return positional


def _right(c: Any, p: float, given: Any) -> dict[str, Any]:
    return {
        "sentences": len(given["references"]),
        "bleu": (round(c.first, 1), round(c.second, 1)),
        "difference": round(c.first - c.second, 1),
        "interval": (round(c.low, 1), round(c.high, 1)),
        "p": round(p, 3),
        "better": _better(c, p <= 0.05),
        "signature": metrics.Settings().signature(),
    }


def _better(c: Any, sure: bool, higher: str = "first", lower: str = "second") -> str:
    return (higher if c.first > c.second else lower) if sure else "undecided"


def _named_by(one: float, other: float, p: float) -> str:
    return ("first" if one > other else "second") if p <= 0.05 else "undecided"


def _by_name(**names: str) -> Any:
    """Calls one of the tests with a name that it does not know."""

    def wrong(first: Any, second: Any, references: Any, trials: Any, seed: Any) -> Any:
        for test, name in names.items():
            getattr(metrics, test)(first, second, references, seed=seed, **{name: trials})

    return wrong


def _without_names(first: Any, second: Any, references: Any, trials: Any, seed: Any) -> Any:
    metrics.paired_bootstrap(first, second, references, trials, seed)  # type: ignore[misc]


def _mean_of_sentences(texts: Any, given: Any) -> float:
    pairs = zip(texts, given["references"])
    return sum(metrics.sentence_bleu(*pair).score for pair in pairs) / len(texts)


def _cut(x: float) -> float:
    return int(10 * x) / 10


def _alone(first: Any, references: Any, trials: int, seed: int) -> Any:
    found = metrics.bootstrap_interval(first, references, samples=trials, seed=seed)
    return round(found.low, 1), round(found.high, 1)


_UNROUNDED = {
    "bleu": lambda c, p, given: (c.first, c.second),
    "difference": lambda c, p, given: c.first - c.second,
    "interval": lambda c, p, given: (c.low, c.high),
    "p": lambda c, p, given: p,
}
_SHARES: tuple[Any, ...] = (
    lambda c: c.first_wins,
    lambda c: c.second_wins,
    lambda c: 1 - c.first_wins,
    lambda c: min(c.first_wins, c.second_wins),
)
_BY_THE_BOOTSTRAP = (
    '"better" is decided by the bootstrap, by its interval or by how often one wins. It is asked '
    "of p: on few sentences the bootstrap is too optimistic."
)
_LEVEL = '"better" is decided at another level than p ≤ 0.05.'

CHECK = Exercise(
    "report",
    reference=report,
    inputs=_comparisons,
    rules={
        "the report says how many sentences there are": _entry(
            "sentences", "the length of the list of references."
        ),
        "the two scores are of the whole test set, with one decimal": _entry(
            "bleu", "first and second of the comparison, each rounded to 1 decimal."
        ),
        "the difference is taken before it is rounded": _entry(
            "difference", "first minus second, of the unrounded scores; then 1 decimal."
        ),
        "the interval is the paired bootstrap's": _entry(
            "interval",
            "low and high of metrics.paired_bootstrap with samples=trials and seed=seed, 1 "
            "decimal.",
        ),
        "p is that of approximate randomization": _entry(
            "p", "metrics.approximate_randomization with trials=trials and seed=seed, 3 decimals."
        ),
        "a better system is named where p is at most 0.05, and nowhere else": _named,
        "the signature says how BLEU was computed": _entry(
            "signature", "what metrics.Settings().signature() gives."
        ),
    },
    mistakes=[
        ("Nothing is rounded: 1 decimal for scores, 3 for p.", _with(**_UNROUNDED)),
        *(
            (
                f'"{key}" is not rounded. Of how many decimals can a reader make use?',
                _with(**{key: make}),
            )
            for key, make in _UNROUNDED.items()
        ),
        (
            "Scores, difference and interval are rounded to whole numbers: 1 decimal is asked.",
            _with(
                bleu=lambda c, p, given: (round(c.first), round(c.second)),
                difference=lambda c, p, given: round(c.first - c.second),
                interval=lambda c, p, given: (round(c.low), round(c.high)),
            ),
        ),
        (
            "Scores, difference and interval have 2 decimals. 1 is asked: more would be noise.",
            _with(
                bleu=lambda c, p, given: (round(c.first, 2), round(c.second, 2)),
                difference=lambda c, p, given: round(c.first - c.second, 2),
                interval=lambda c, p, given: (round(c.low, 2), round(c.high, 2)),
            ),
        ),
        *(
            (f"p is rounded to {digits}. 3 decimals are asked.", _with(p=make))
            for digits, make in (
                ("1 decimal", lambda c, p, given: round(p, 1)),
                ("2 decimals", lambda c, p, given: round(p, 2)),
                ("4 decimals", lambda c, p, given: round(p, 4)),
            )
        ),
        (
            "The two systems have changed places, in all entries.",
            _with(turned=True),
        ),
        (
            '"difference" is that of the rounded scores, which can be wrong by 0.1. Subtract '
            "first, then round.",
            _with(difference=lambda c, p, given: round(round(c.first, 1) - round(c.second, 1), 1)),
        ),
        (
            '"difference" is second minus first. First minus second is asked, so that a gain of '
            "the first is positive.",
            _with(difference=lambda c, p, given: round(c.second - c.first, 1)),
        ),
        (
            '"difference" has lost its sign. It says which of the two is better.',
            _with(difference=lambda c, p, given: round(abs(c.first - c.second), 1)),
        ),
        (
            '"interval" is that of the first system alone. Asked is the one of the *difference*, '
            "on the same resampled sentences.",
            _with(
                interval=lambda c, p, given: _alone(
                    given["first"], given["references"], given["trials"], given["seed"]
                )
            ),
        ),
        (
            '"interval" is that of second minus first: its signs do not go with the difference.',
            _with(interval=lambda c, p, given: (round(-c.high, 1), round(-c.low, 1))),
        ),
        (
            "The ends of the interval have changed places: first low, then high.",
            _with(interval=lambda c, p, given: (round(c.high, 1), round(c.low, 1))),
        ),
        *(
            (
                '"interval" holds how often each wins. Asked are the bounds of the difference, low '
                "and high.",
                _with(interval=make),
            )
            for make in (
                lambda c, p, given: (round(c.first_wins, 1), round(c.second_wins, 1)),
                lambda c, p, given: (round(c.second_wins, 1), round(c.first_wins, 1)),
            )
        ),
        (
            "Scores, difference and interval are cut off after one digit. round(x, 1) rounds up, "
            "too.",
            _with(
                bleu=lambda c, p, given: (_cut(c.first), _cut(c.second)),
                difference=lambda c, p, given: _cut(c.first - c.second),
                interval=lambda c, p, given: (_cut(c.low), _cut(c.high)),
            ),
        ),
        *(
            (
                '"bleu" has one score. Asked are two, that of the first and that of the second.',
                _with(bleu=make),
            )
            for make in (
                lambda c, p, given: round(c.first, 1),
                lambda c, p, given: round(c.second, 1),
            )
        ),
        (
            "These are means of the sentences' scores. BLEU is of the whole test set: `first` and "
            "`second` of the comparison.",
            _with(
                bleu=lambda c, p, given: (
                    round(_mean_of_sentences(given["first"], given), 1),
                    round(_mean_of_sentences(given["second"], given), 1),
                ),
                difference=lambda c, p, given: round(
                    _mean_of_sentences(given["first"], given)
                    - _mean_of_sentences(given["second"], given),
                    1,
                ),
            ),
        ),
        (
            "Scores and p are strings. round(x, 1) leaves numbers, with which one can go on.",
            _with(
                bleu=lambda c, p, given: (f"{c.first:.1f}", f"{c.second:.1f}"),
                difference=lambda c, p, given: f"{c.first - c.second:.1f}",
                interval=lambda c, p, given: (f"{c.low:.1f}", f"{c.high:.1f}"),
                p=lambda c, p, given: f"{p:.3f}",
            ),
        ),
        *(
            (
                '"p" is a share of the bootstrap\'s samples. Asked is that of approximate '
                "randomization.",
                _with(p=lambda c, p, given, share=share: round(share(c), 3), **better),
            )
            for share in _SHARES
            for better in (
                {},
                {"better": lambda c, p, given, share=share: _better(c, share(c) <= 0.05)},
            )
        ),
        (
            '"p" is in percent. A number between 0 and 1 is asked.',
            _with(p=lambda c, p, given: round(100 * p, 3)),
        ),
        (
            '"p" is 1 − p: how *little* chance explains the difference.',
            _with(p=lambda c, p, given: round(1 - p, 3)),
        ),
        (
            '"better" names the one with the higher score, whatever p. Where chance alone often '
            'makes such a difference, it is "undecided".',
            _with(better=lambda c, p, given: _better(c, True)),
        ),
        *(
            (_BY_THE_BOOTSTRAP, _with(better=make))
            for make in (
                lambda c, p, given: _better(c, c.low > 0 or c.high < 0),
                lambda c, p, given: _better(c, not c.low <= 0 <= c.high and p <= 0.05),
                lambda c, p, given: _better(c, not c.low <= 0 <= c.high or p <= 0.05),
                lambda c, p, given: _better(c, max(c.first_wins, c.second_wins) >= 0.95),
            )
        ),
        (
            "p = 0.05 is small enough, and here it is not: is p compared with <, or rounded before "
            "it is compared?",
            _with(better=lambda c, p, given: _better(c, p < 0.05)),
        ),
        (
            '"better" is decided by the rounded p. Round last: 0.0502 is above 0.05.',
            _with(better=lambda c, p, given: _better(c, round(p, 3) <= 0.05)),
        ),
        (_LEVEL, _with(better=lambda c, p, given: _better(c, p <= 0.1))),
        (_LEVEL, _with(better=lambda c, p, given: _better(c, p <= 0.01))),
        *(
            (
                "The comparison with 0.05 is the wrong way round: a *small* p speaks for a "
                "difference.",
                _with(better=make),
            )
            for make in (
                lambda c, p, given: _better(c, p > 0.05),
                lambda c, p, given: _better(c, p >= 0.05),
            )
        ),
        *(
            (
                '"better" is read off the rounded numbers, which may be equal where the scores are '
                "not. Round last.",
                _with(better=make),
            )
            for make in (
                lambda c, p, given: _named_by(round(c.first - c.second, 1), 0, p),
                lambda c, p, given: _named_by(round(c.first, 1), round(c.second, 1), p),
            )
        ),
        (
            '"better" is the list of texts. Asked is its name, "first" or "second".',
            _with(
                better=lambda c, p, given: _better(c, p <= 0.05, given["first"], given["second"])
            ),
        ),
        (
            '"better" is None where nothing is decided: write "undecided".',
            _with(better=lambda c, p, given: _better(c, True) if p <= 0.05 else None),
        ),
        (
            '"better" names the one with the lower score.',
            _with(better=lambda c, p, given: _better(c, p <= 0.05, "second", "first")),
        ),
        (
            '"better" is the first wherever p is small. The second may be the better one.',
            _with(better=lambda c, p, given: "first" if p <= 0.05 else "undecided"),
        ),
        (
            "The signature is another: the settings of the scores above are those of "
            "metrics.Settings().",
            _with(signature=lambda c, p, given: metrics.Settings(effective_order=True).signature()),
        ),
        (
            "These are the settings as Python shows them. Their method signature() writes them as "
            "sacreBLEU does.",
            _with(signature=lambda c, p, given: str(metrics.Settings())),
        ),
        (
            "These are the settings themselves. Their method signature() writes them as sacreBLEU "
            "does.",
            _with(signature=lambda c, p, given: metrics.Settings()),
        ),
        (
            "The texts are compared without capitals. metrics.Settings(), whose signature stands "
            "beside the scores, leaves case as it is.",
            _with(how={"lowercase": True}),
        ),
        (
            '"sentences" counts equal references once. Asked is how many sentences were '
            "translated.",
            _with(sentences=lambda c, p, given: len(set(given["references"]))),
        ),
        (
            '"sentences" is the number of trials. Asked is how many sentences were translated.',
            _with(sentences=lambda c, p, given: given["trials"]),
        ),
        (
            '"sentences" counts words. Asked is how many sentences were translated.',
            _with(sentences=lambda c, p, given: sum(len(x.split()) for x in given["references"])),
        ),
        (
            "The seed has no effect: hand it to both tests.",
            _with(seed=0),
        ),
        (
            "The number of trials has no effect: hand it to both tests, as samples and as trials.",
            _with(trials=1000),
        ),
        (
            "The number of trials and the seed have no effect: hand them to both tests.",
            _with(trials=1000, seed=0),
        ),
        (
            "approximate_randomization calls its number trials=, and not samples=.",
            _by_name(approximate_randomization="samples"),
        ),
        (
            "paired_bootstrap calls its number samples=, and not trials=.",
            _by_name(paired_bootstrap="trials"),
        ),
        (
            "The number of samples and the seed are handed on by their names: samples=trials, "
            "seed=seed.",
            _without_names,
        ),
    ],
    seconds=20.0,
)
