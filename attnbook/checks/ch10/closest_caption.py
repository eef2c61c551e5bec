"""Exercise 10.5: ``closest_caption``."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import fmt


def closest_caption(sentence: Sequence[str], index: Mapping[str, Sequence[int]]) -> int:
    """The number of the training sentence that shares the most, rare words counting more."""
    points: dict[int, float] = {}
    for word in dict.fromkeys(sentence):
        for number in index.get(word, ()):
            points[number] = points.get(number, 0) + 1 / len(index[word])
    return min(points, key=lambda number: (-points[number], number), default=0)


def _sentences() -> Inputs:
    yield {"sentence": ["Hund"], "index": {"Hund": [3]}}
    yield {"sentence": ["ein", "rot"], "index": {"ein": [0, 3], "rot": [3, 6]}}
    index = {"ein": [0, 1, 2, 3], "im": [0, 1, 2, 3], "Hund": [5]}
    yield {"sentence": ["ein", "im", "Hund"], "index": index}
    yield {"sentence": ["ein", "ein", "ein", "Hund"], "index": {"ein": [1, 2], "Hund": [4]}}
    yield {"sentence": ["Hund", "ein"], "index": {"Hund": [0], "ein": [0, 3]}}
    # 1/3 + 1/7 is a little less than 1/2
    index = {"rot": [7, 8], "ein": [2, 4, 5], "im": [0, 1, 2, 3, 9, 10, 11]}
    yield {"sentence": ["rot", "ein", "im"], "index": index}
    many = {f"Wort{n}": [(7 * n + 3) % 99] for n in range(99)}  # one point for each sentence
    yield {"sentence": list(many), "index": many}
    draw = random.Random(3)
    words = "abcdefgh"
    for size in range(3, 40):
        index = {word: sorted(draw.sample(range(9), draw.choice((1, 2, 3, 4)))) for word in words}
        yield {"sentence": draw.choices([*words, "x"], k=size // 3), "index": index}


def _most_shared(sentence: Any, index: Any) -> int:
    points = Counter(number for word in set(sentence) for number in index.get(word, ()))
    return min(points, key=lambda number: (-points[number], number), default=0)


def _rarest(sentence: Any, index: Any) -> Any:
    known = [word for word in dict.fromkeys(sentence) if word in index]
    return index[min(known, key=lambda word: len(index[word]))][0] if known else 0


def _nothing_known(call: Call) -> str | None:
    if problem := call.error(sentence=["Katze"], index={"Hund": [4]}):
        if isinstance(problem, KeyError):
            return "A word that the index does not know is passed over; yours stops with KeyError."
        return (
            "Where the index knows no word of the sentence, 0 comes back; yours stops with "
            f"{type(problem).__name__}."
        )
    number = call(sentence=["Katze"], index={"Hund": [4]})
    return None if number == 0 else f"Where the index knows no word, 0 comes back, not {number}."


def _the_most(call: Call) -> str | None:
    """What the words give to the sentence that comes back, and to the one that should."""
    if call.result == call.expected:
        return None

    def points_of(number: int) -> str:
        shared = [w for w in dict.fromkeys(call.sentence) if number in call.index.get(w, ())]
        terms = [f"1/{len(call.index[word])}" for word in shared]
        points = sum(1 / len(call.index[word]) for word in shared)
        message = f"{number} shares {', '.join(shared) or 'no word'}"
        return f"{message}: {' + '.join(terms) or 0} = {fmt(points)} points"

    return (
        f"Training sentence {points_of(call.result)}. Number {points_of(call.expected)}: that one "
        "is expected, for it has the most, and of those with as many the lowest number."
    )


CHECK = Exercise(
    closest_caption,
    inputs=_sentences,
    rules={
        "where no word is known, 0 comes back": _nothing_known,
        "no training sentence has more points": _the_most,
    },
    mistakes={
        "Every shared word gives one point here, the frequent as much as the rare. A word "
        "gives 1 / (number of training sentences that hold it).": _most_shared,
        "Only the rarest word decides. The points of all words are added up for each training "
        "sentence.": _rarest,
    },
)
