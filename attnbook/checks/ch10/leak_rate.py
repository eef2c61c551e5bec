"""Exercise 10.1: ``leak_rate``."""

from __future__ import annotations

from collections.abc import Callable

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake

# leak_rate ----------------------------------------------------------------------------------------


def _leaks() -> Inputs:
    yield {"train": ["a dog", "a cat"], "test": ["a dog", "a bird"]}
    yield {"train": ["a dog", "a cat", "a cat"], "test": ["a cat", "a bird", "a cat", "an owl"]}
    yield {"train": ["a dog runs home"], "test": ["a dog", "runs"]}
    yield {"train": ["A dog", "a cat"], "test": ["a dog"]}
    yield {"train": ["the end.", "an end", "end"], "test": ["the end", "so", "an end"]}
    yield {"train": ["no", "no", "no", "no", "yes"], "test": ["no ", "no", "no", "never", "now"]}
    yield {"train": ["home we go", "we go  home"], "test": ["we go home", "go we home", "new"]}
    yield {"train": ["one", "two", "three", "four", "five"], "test": ["two", "nine", "ten"]}


def _leak_rate(train: list[str], test: list[str]) -> float:
    seen = set(train)
    return sum(sentence in seen for sentence in test) / len(test)


def _a_sentence_leaks_whole_or_not_at_all(call: Call) -> str | None:
    rate = call(train=["a dog runs home"], test=["a dog"])
    if abs(rate) < 1e-9:
        return None
    return (
        f'Training holds only "a dog runs home", the test only "a dog", and the rate is {rate:g}: '
        "a sentence that is only found inside another one was not seen, and 0 is expected."
    )


def _every_test_sentence_counts(call: Call) -> str | None:
    for train, test in (
        (["a", "c"], ["a", "a", "a", "b"]),
        (["a", "a", "c"], ["a", "b"]),
        (["a"], ["b"]),
        (call.train, call.test),
    ):
        rate, right = call(train=train, test=test), _leak_rate(train, test)
        if abs(rate - right) > 1e-9:
            seen = round(right * len(test))
            return (
                f"Training is {train}, the test {test}: of its {len(test)} sentences {seen} stand "
                f"in training, letter by letter. {right:.3g} is expected, {rate:.3g} comes back."
            )
    return None


def _after(change: Callable[[str], str]) -> Callable[[list[str], list[str]], float]:
    """The rate once every sentence has been changed."""
    return lambda train, test: _leak_rate([change(s) for s in train], [change(s) for s in test])


_CHANGES: dict[str, Callable[[str], str]] = {
    "Capitals are overlooked": str.lower,
    "Spaces at the ends are overlooked": str.strip,
    "Capitals and spaces at the ends are overlooked": lambda s: s.strip().lower(),
    "Spaces are overlooked": lambda s: " ".join(s.split()),
    "Spaces and capitals are overlooked": lambda s: " ".join(s.lower().split()),
    "Punctuation is overlooked": lambda s: s.replace(".", ""),
    "The order of the words is overlooked": lambda s: " ".join(sorted(s.split())),
    "All but letters and their case is overlooked": lambda s: "".join(
        x for x in s.lower() if x.isalpha()
    ),
}


CHECK = Exercise(
    "leak_rate",
    reference=_leak_rate,
    inputs=_leaks,
    rules={
        "only a whole sentence counts as seen": _a_sentence_leaks_whole_or_not_at_all,
        "every test sentence counts, as often as it stands there": _every_test_sentence_counts,
    },
    mistakes=[
        Mistake(
            "This is the number of leaked sentences. A rate is their share of the test split.",
            lambda train, test: sum(s in set(train) for s in test),
        ),
        Mistake(
            "This is divided by the size of the training split. Of which split do we ask how much "
            "was seen before?",
            lambda train, test: sum(s in set(train) for s in test) / len(train),
        ),
        Mistake(
            "This is the share that was not seen: one minus what is asked.",
            lambda train, test: sum(s not in set(train) for s in test) / len(test),
        ),
        Mistake(
            "Repetitions are lost: a sentence that stands three times in the test counts three "
            "times, above the line and below it.",
            lambda train, test: len(set(train) & set(test)) / len(set(test)),
        ),
        Mistake(
            "Repetitions are lost above the line: different sentences are counted and divided by "
            "all sentences of the test.",
            lambda train, test: len(set(train) & set(test)) / len(test),
        ),
        Mistake(
            "Repetitions are lost below the line: all sentences are counted and divided by the "
            "different ones.",
            lambda train, test: sum(s in set(train) for s in test) / len(set(test)),
        ),
        Mistake(
            "This counts the sentences of *training* that stand in the test. Asked is for the "
            "share of the test.",
            lambda train, test: sum(s in set(test) for s in train) / len(test),
        ),
        Mistake(
            "This is the share of the training split that stands in the test: the two are "
            "exchanged.",
            lambda train, test: sum(s in set(test) for s in train) / len(train),
        ),
        Mistake(
            "This is in percent. The share runs from 0 to 1.",
            lambda train, test: 100 * _leak_rate(train, test),
        ),
        Mistake(
            "The share is cut to a whole number: // forgets the rest, / keeps it.",
            lambda train, test: sum(s in set(train) for s in test) // len(test),
        ),
        *(
            Mistake(
                f"{what} here. Two sentences are the same only if they are so letter by letter.",
                _after(change),
            )
            for what, change in _CHANGES.items()
        ),
    ],
)
