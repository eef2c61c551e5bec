"""Exercise 9.8: ``report``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnbook.checks.inputs import Inputs
from attnbook.checks.ngrams import sentences
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import difference, fmt
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
        yield _arguments(first, second, references, trials, seed)
    first, references = sentences(6, 1, 0.95, damage=5)  # one sentence
    yield _arguments(first, references, references, 19, 1)
    small, references = sentences(6, 6, 0.95, damage=1)  # only the capitals differ
    large, references = ([x.capitalize() for x in texts] for texts in (small, references))
    yield _arguments(large, small, references, 40, 1)
    words = "one two three four five six seven eight nine"
    back = " ".join(words.split()[::-1])  # p is small, and the difference is 0.04
    second = [back.replace("five", "ten")] * 7 + [back] * 2
    yield _arguments([back] * 9, second, [words] * 9, 40, 1)


def _arguments(*values: Any) -> dict[str, Any]:
    return dict(zip(("first", "second", "references", "trials", "seed"), values))


def _entry(key: str, why: str) -> Callable[[Call], str | None]:
    def rule(call: Call) -> str | None:
        result, expected = call.result[key], call.expected[key]
        if difference(result, expected) is None:
            return None
        return f'"{key}" is {fmt(result)}, where {fmt(expected)} is expected: {why}'

    return rule


def _named(call: Call) -> str | None:
    result, expected = call.result["better"], call.expected["better"]
    if result == expected:
        return None
    p = metrics.approximate_randomization(
        call.first, call.second, call.references, trials=call.trials, seed=call.seed
    )
    first, second = call.expected["bleu"]
    return (
        f'"better" is {fmt(result)}, where {fmt(expected)} is expected: p is {p:.5f}, and the '
        f"scores are {first} and {second}. The one with the higher score is named where p ≤ 0.05, "
        "with nothing rounded yet."
    )


def _better(decide: Callable[[Any, float], bool]) -> Callable[..., Any]:
    """The report where the bootstrap, or p as it is written, decides whether one is better."""

    def wrong(first: Any, second: Any, references: Any, trials: Any, seed: Any) -> Any:
        entries = report(first, second, references, trials, seed)
        compared = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
        higher = "first" if compared.first > compared.second else "second"
        entries["better"] = higher if decide(compared, entries["p"]) else "undecided"
        return entries

    return wrong


_BY_THE_BOOTSTRAP = (
    '"better" is decided by the bootstrap, by its interval or by how often one wins. It is asked '
    "of p: on few sentences the bootstrap is too optimistic."
)

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
        (
            "The two systems have changed places, in all entries.",
            lambda first, second, references, trials, seed: report(
                second, first, references, trials, seed
            ),
        ),
        *(
            (_BY_THE_BOOTSTRAP, _better(decide))
            for decide in (
                lambda compared, p: compared.low > 0 or compared.high < 0,
                lambda compared, p: max(compared.first_wins, compared.second_wins) >= 0.95,
            )
        ),
        (
            "p = 0.05 is small enough, and here it is not: is p compared with <, or rounded before "
            "it is compared?",
            _better(lambda compared, p: p < 0.05),
        ),
        (
            '"better" is decided by the rounded p. Round last: 0.0502 is above 0.05.',
            _better(lambda compared, p: p <= 0.05),
        ),
        (
            "approximate_randomization calls its number trials=, and not samples=.",
            lambda first, second, references, trials, seed: metrics.approximate_randomization(
                first, second, references, samples=trials, seed=seed
            ),
        ),
    ],
)
