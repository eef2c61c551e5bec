"""Exercise 10.1: ``leak_rate``."""

from __future__ import annotations

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake

# leak_rate ----------------------------------------------------------------------------------------


def _leaks() -> Inputs:
    yield {"train": ["a dog", "a cat"], "test": ["a dog", "a bird"]}
    yield {"train": ["a dog", "a cat", "a cat"], "test": ["a cat", "a bird", "a cat", "an owl"]}
    yield {"train": ["a dog runs home"], "test": ["a dog", "runs"]}
    yield {"train": ["one", "two", "three", "four", "five"], "test": ["two", "nine", "ten"]}


def _leak_rate(train: list[str], test: list[str]) -> float:
    seen = set(train)
    return sum(sentence in seen for sentence in test) / len(test)


def _a_sentence_leaks_whole_or_not_at_all(call: Call) -> str | None:
    rate = call(train=["a dog runs home"], test=["a dog"])
    if abs(rate) < 1e-9:
        return None
    return (
        f'Training holds only "a dog runs home", the test only "a dog", and the rate is {rate:g}. '
        "Is the test sentence itself among the training sentences, or only found inside one?"
    )


def _every_test_sentence_counts(call: Call) -> str | None:
    rate = call(train=["a"], test=["a", "a", "a", "b"])
    if abs(rate - 0.75) < 1e-9:
        return None
    return (
        'For train ["a"] and test ["a", "a", "a", "b"] the rate is '
        f"{rate:.3g}: three of four test sentences were seen in training. Are repetitions lost?"
    )


CHECK = Exercise(
    "leak_rate",
    reference=_leak_rate,
    inputs=_leaks,
    rules={
        "only a whole sentence counts as seen": _a_sentence_leaks_whole_or_not_at_all,
        "a sentence that stands three times in the test counts three times": (
            _every_test_sentence_counts
        ),
        "the rate of a test split that is all new is 0": lambda call: call(test=["new"]) == 0,
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
    ],
)
