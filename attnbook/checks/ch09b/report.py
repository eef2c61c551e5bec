"""Exercise 9.7: ``report``."""

from typing import Any

from attnbook.checks.inputs import Inputs
from attnbook.checks.ngrams import sentences
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import difference, fmt
from attnlib import metrics


def report(
    first: Any, second: Any, references: Any, comparisons: Any, trials: Any, seed: Any
) -> Any:
    """What to report of two systems. Three lists of texts, three ints → dict."""
    compared = metrics.paired_bootstrap(first, second, references, samples=trials, seed=seed)
    p = metrics.approximate_randomization(first, second, references, trials=trials, seed=seed)
    return {
        "sentences": len(references),
        "bleu": (round(compared.first, 1), round(compared.second, 1)),
        "difference": round(compared.first - compared.second, 1),
        "interval": (round(compared.low, 1), round(compared.high, 1)),
        "p": round(min(1, comparisons * p), 3),
        "signature": metrics.Settings().signature(),
    }


def _comparisons() -> Inputs:
    for n, one, other, damage, comparisons, trials, seed in (
        (6, 0.95, 0.8, 5, 1, 19, 1),
        (6, 0.95, 0.8, 1, 2, 40, 1),
        (6, 0.95, 0.8, 1, 20, 19, 1),  # 20 times 0.15: at most 1
        (6, 0.8, 0.95, 6, 3, 40, 1),  # the second is better
        (6, 0.95, 0.8, 3, 7, 40, 3),
        (6, 0.95, 0.8, 5, 3, 198, 3),  # p times 3 differs from 3 times the rounded p
        (12, 0.95, 0.8, 1, 2, 40, 3),
    ):
        first, references = sentences(n, n, one, damage=damage)
        second = sentences(n, n, other, damage=damage + 10)[0]
        yield _arguments(first, second, references, comparisons, trials, seed)
    first, references = sentences(6, 1, 0.95, damage=5)  # one sentence
    yield _arguments(first, references, references, 1, 19, 1)
    small, references = sentences(6, 6, 0.95, damage=1)  # only the capitals differ
    large, references = ([x.capitalize() for x in texts] for texts in (small, references))
    yield _arguments(large, small, references, 2, 40, 1)
    words = "one two three four five six seven eight nine"
    back = " ".join(words.split()[::-1])  # p is small, and the difference is 0.04
    second = [back.replace("five", "ten")] * 7 + [back] * 2
    yield _arguments([back] * 9, second, [words] * 9, 2, 40, 1)


def _arguments(*values: Any) -> dict[str, Any]:
    return dict(zip(("first", "second", "references", "comparisons", "trials", "seed"), values))


#: What each entry is.
_ENTRIES = {
    "sentences": "the length of the list of references.",
    "bleu": "first and second of the comparison, each rounded to 1 decimal.",
    "difference": "first minus second, of the unrounded scores; then 1 decimal.",
    "interval": "low and high of metrics.paired_bootstrap with samples=trials and seed=seed, 1 "
    "decimal.",
    "p": "metrics.approximate_randomization with trials=trials and seed=seed, times the number of "
    "comparisons, at most 1; then 3 decimals.",
    "signature": "what metrics.Settings().signature() gives.",
}


def _every_entry(call: Call) -> str | None:
    for key, why in _ENTRIES.items():
        result, expected = call.result[key], call.expected[key]
        if difference(result, expected):
            return f'"{key}" is {fmt(result)}, where {fmt(expected)} is expected: {why}'
    return None


CHECK = Exercise(
    report,
    inputs=_comparisons,
    rules={
        "every entry is computed on the whole test set, and rounded at the end": _every_entry,
    },
    mistakes={
        "The two systems are swapped in all entries.": (
            lambda first, second, references, comparisons, trials, seed: report(
                second, first, references, comparisons, trials, seed
            )
        ),
        "approximate_randomization calls this number trials=, not samples=.": (
            lambda first, second, references, comparisons, trials, seed: (
                metrics.approximate_randomization(
                    first, second, references, samples=trials, seed=seed
                )
            )
        ),
    },
)
