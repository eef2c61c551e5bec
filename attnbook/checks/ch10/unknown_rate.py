"""Exercise 10.2: ``unknown_rate``."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeAlias

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake

Sentences: TypeAlias = Sequence[Sequence[str]]


# unknown_rate -------------------------------------------------------------------------------------


def _tokenised() -> Inputs:
    yield {"train": [["a", "b"]], "test": [["a", "c"]], "min_count": 1}
    yield {"train": [["a", "b", "a"]], "test": [["a", "b", "b"], ["b"]], "min_count": 2}
    yield {"train": [["a", "b"], ["b"]], "test": [["c", "c", "c", "a", "b"], ["d"]], "min_count": 1}
    yield {"train": [["a", "a"], ["b"]], "test": [["a", "A"], ["b", "b", "c"]], "min_count": 2}
    draw = random.Random(0)
    words = [[draw.choice("abcdefghijk") for _ in range(6)] for _ in range(9)]
    yield {"train": words[:3], "test": words[3:], "min_count": 2}


def _unknown_rate(train: Sentences, test: Sentences, min_count: int = 1) -> float:
    counts = Counter(word for sentence in train for word in sentence)
    words = [word for sentence in test for word in sentence]
    return sum(counts[word] < min_count for word in words) / len(words)


def _over_types(train: Sentences, test: Sentences, min_count: int = 1) -> float:
    counts = Counter(word for sentence in train for word in sentence)
    words = {word for sentence in test for word in sentence}
    return sum(counts[word] < min_count for word in words) / len(words)


def _mean_of_sentences(train: Sentences, test: Sentences, min_count: int = 1) -> float:
    return sum(_unknown_rate(train, [sentence], min_count) for sentence in test) / len(test)


def _rate_of(call: Call) -> str | None:
    for train, test, least in (
        ([["a"]], [["z", "z", "z"]], 1),
        ([["a", "a"]], [["a", "b"]], 2),
        ([["a"], ["b"]], [["a", "a", "b", "c"]], 1),
        (call.train, call.test, call.min_count),
    ):
        rate = call(train=train, test=test, min_count=least)
        right = _unknown_rate(train, test, least)
        if abs(rate - right) > 1e-9:
            words = [word for sentence in test for word in sentence]
            counts = Counter(word for sentence in train for word in sentence)
            unknown = [word for word in words if counts[word] < least]
            listed = ", ".join(sorted(set(unknown))) or "none of them"
            return (
                f"Training is {train}, the test {test}, min_count = {least}. Of the {len(words)} "
                f"words of the test {len(unknown)} are unknown ({listed}): expected is {right:.3g},"
                f" and {rate:.3g} comes back."
            )
    return None


def _counted(
    words: Callable[[Sentences], list[str]],
    over: Callable[[Sentences, Sentences], int] | None = None,
) -> Callable[..., float]:
    """The rate with other counts of training, or divided by something else."""

    def wrong(train: Sentences, test: Sentences, min_count: int = 1) -> float:
        counts, tokens = Counter(words(train)), [word for sentence in test for word in sentence]
        unknown = sum(counts[word] < min_count for word in tokens)
        return unknown / (over(train, test) if over else len(tokens))

    return wrong


def _all(split: Sentences) -> list[str]:
    return [word for sentence in split for word in sentence]


CHECK = Exercise(
    "unknown_rate",
    reference=_unknown_rate,
    inputs=_tokenised,
    rules={"it is the share of the unknown among the words of the test": _rate_of},
    mistakes=[
        Mistake(
            "This is the share of unknown words in a list of different words. In running text an "
            "unknown word that occurs three times is met three times.",
            _over_types,
        ),
        Mistake(
            "This is the mean of the sentences' rates: a word of a short sentence then weighs "
            "more than one of a long sentence. Count all words of the split together.",
            _mean_of_sentences,
        ),
        Mistake(
            "This is the share of known words: one minus what is asked.",
            lambda train, test, min_count=1: 1 - _unknown_rate(train, test, min_count),
        ),
        Mistake(
            "The argument min_count has no effect: a word that training holds once is unknown "
            "where two are needed.",
            lambda train, test, min_count=1: _unknown_rate(train, test, 1),
        ),
        Mistake(
            "Off by one: a word that occurs exactly min_count times is known.",
            lambda train, test, min_count=1: _unknown_rate(train, test, min_count + 1),
        ),
        Mistake(
            "A word is counted once for each sentence that holds it. Every time it occurs counts, "
            "twice in one sentence is twice.",
            _counted(lambda split: [word for sentence in split for word in set(sentence)]),
        ),
        Mistake(
            "This is divided by the number of sentences. Asked is for the share of the *words* of "
            "the test.",
            _counted(_all, lambda train, test: len(test)),
        ),
        Mistake(
            "This is divided by the words of the training split. Asked is for the share of the "
            "words of the test.",
            _counted(_all, lambda train, test: len(_all(train))),
        ),
        Mistake(
            "This is the number of unknown words. A rate is their share of the words of the test.",
            _counted(_all, lambda train, test: 1),
        ),
        Mistake(
            "All occurrences are counted above the line and different words below it. Both count "
            "as often as they occur.",
            _counted(_all, lambda train, test: len(set(_all(test)))),
        ),
        Mistake(
            "The words of the test split are counted, too. A word is known from training alone.",
            lambda train, test, min_count=1: _unknown_rate([*train, *test], test, min_count),
        ),
        Mistake(
            "Known is here what the *test* holds min_count times. Count in the training split.",
            lambda train, test, min_count=1: _unknown_rate(test, test, min_count),
        ),
        Mistake(
            "The two splits are exchanged: this is the share of unknown words in training.",
            lambda train, test, min_count=1: _unknown_rate(test, train, min_count),
        ),
        Mistake(
            "Capitals are overlooked here: A and a are two words.",
            lambda train, test, min_count=1: _unknown_rate(
                [[word.lower() for word in sentence] for sentence in train],
                [[word.lower() for word in sentence] for sentence in test],
                min_count,
            ),
        ),
        Mistake(
            "This is in percent. The share runs from 0 to 1.",
            lambda train, test, min_count=1: 100 * _unknown_rate(train, test, min_count),
        ),
    ],
)
