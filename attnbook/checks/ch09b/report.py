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
        names = "first", "second", "references", "trials", "seed"
        yield dict(zip(names, (first, second, references, trials, seed)))


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
def _facts(first: Any, second: Any, references: Any, trials: int, seed: int) -> Any:
    compared = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    return compared, p


def _with(trials: Any = None, seed: Any = None, turned: Any = False, **entries: Any) -> Any:
    """The report with other entries, each made of the comparison, p and all that is given."""

    def wrong(**given: Any) -> Any:
        texts = [tuple(given[name]) for name in ("first", "second", "references")]
        texts[:2] = texts[:2][::-1] if turned else texts[:2]
        numbers = trials or given["trials"], given["seed"] if seed is None else seed
        compared, p = _facts(*texts, *numbers)
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


def _alone(first: Any, references: Any, trials: int, seed: int) -> Any:
    found = metrics.bootstrap_interval(first, references, samples=trials, seed=seed)
    return round(found.low, 1), round(found.high, 1)


_UNROUNDED = {
    "bleu": lambda c, p, given: (c.first, c.second),
    "difference": lambda c, p, given: c.first - c.second,
    "interval": lambda c, p, given: (c.low, c.high),
    "p": lambda c, p, given: p,
}
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
            (f"p is rounded to {digits} decimals. 3 are asked.", _with(p=make))
            for digits, make in (
                (1, lambda c, p, given: round(p, 1)),
                (2, lambda c, p, given: round(p, 2)),
                (4, lambda c, p, given: round(p, 4)),
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
        (
            '"interval" holds how often each wins. Asked are the bounds of the difference, low and '
            "high.",
            _with(interval=lambda c, p, given: (round(c.first_wins, 1), round(c.second_wins, 1))),
        ),
        *(
            (
                '"p" is a share of the bootstrap\'s samples. Asked is that of approximate '
                "randomization.",
                _with(p=make),
            )
            for make in (
                lambda c, p, given: round(c.first_wins, 3),
                lambda c, p, given: round(c.second_wins, 3),
                lambda c, p, given: round(1 - c.first_wins, 3),
                lambda c, p, given: round(min(c.first_wins, c.second_wins), 3),
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
            "p = 0.05 is small enough: p ≤ 0.05, and not p < 0.05.",
            _with(better=lambda c, p, given: _better(c, p < 0.05)),
        ),
        (
            '"better" is decided by the rounded p. Round last: 0.0502 is above 0.05.',
            _with(better=lambda c, p, given: _better(c, round(p, 3) <= 0.05)),
        ),
        (_LEVEL, _with(better=lambda c, p, given: _better(c, p <= 0.1))),
        (_LEVEL, _with(better=lambda c, p, given: _better(c, p <= 0.01))),
        (
            "The comparison with 0.05 is the wrong way round: a *small* p speaks for a difference.",
            _with(better=lambda c, p, given: _better(c, p > 0.05)),
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
    ],
    seconds=20.0,
)
