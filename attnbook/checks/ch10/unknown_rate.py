"""Exercise 10.2: ``unknown_rate``."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake

Sentences: TypeAlias = Sequence[Sequence[str]]


# unknown_rate -------------------------------------------------------------------------------------


def _tokenised() -> Inputs:
    yield {"train": [["a", "b"]], "test": [["a", "c"]], "min_count": 1}
    yield {"train": [["a", "b", "a"]], "test": [["a", "b", "b"], ["b"]], "min_count": 2}
    yield {"train": [["a", "b"], ["b"]], "test": [["c", "c", "c", "a", "b"], ["d"]], "min_count": 1}
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


def _the_test_split_teaches_nothing(call: Call) -> str | None:
    rate = call(train=[["a"]], test=[["z", "z", "z"]], min_count=1)
    if abs(rate - 1) < 1e-9:
        return None
    return (
        f'Training holds only "a", the test only "z", and {rate:.0%} of it is unknown. A word that '
        "only the test split holds stays unknown, however often: which split is counted?"
    )


CHECK = Exercise(
    "unknown_rate",
    reference=_unknown_rate,
    inputs=_tokenised,
    rules={"words are counted in the training split alone": _the_test_split_teaches_nothing},
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
    ],
)
