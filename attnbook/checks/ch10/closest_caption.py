"""Exercise 10.5: ``closest_caption``."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise


def closest_caption(sentence: Sequence[str], index: Mapping[str, Sequence[int]]) -> int:
    """The number of the training sentence that shares the most, rare words counting more."""
    points: dict[int, float] = {}
    for word in dict.fromkeys(sentence):
        for number in index.get(word, ()):
            points[number] = points.get(number, 0) + 1 / len(index[word])
    return min(points, key=lambda number: (-points[number], number), default=0)


def _sentences() -> Inputs:
    yield {"sentence": ["hund"], "index": {"hund": [3]}}
    yield {"sentence": ["ein", "hund"], "index": {"hund": [4], "kind": [2]}}
    yield {"sentence": ["hund", "rot", "kind"], "index": {"hund": [4], "rot": [6], "kind": [1]}}
    yield {"sentence": ["ein", "rot"], "index": {"ein": [0, 3], "rot": [3, 6]}}
    yield {
        "sentence": ["ein", "im", "hund"],
        "index": {"ein": [0, 1, 2, 3], "im": [0, 1, 2, 3], "hund": [5]},
    }
    yield {
        "sentence": ["ein", "mit", "ein", "hund", "ein"],
        "index": {"ein": [1, 2], "mit": [0, 2, 3, 4], "hund": [4]},
    }
    draw = random.Random(3)
    words = "abcdefgh"
    index = {word: sorted(draw.sample(range(9), draw.choice((1, 2, 4)))) for word in words}
    for _ in range(3):
        yield {"sentence": draw.choices([*words, "x"], k=6), "index": index}


def _points(
    sentence: Sequence[str],
    index: Mapping[str, Sequence[int]],
    worth: Any = lambda numbers: 1 / len(numbers),
    again: bool = False,
) -> dict[int, Any]:
    found: dict[int, Any] = {}
    for word in sentence if again else dict.fromkeys(sentence):
        for number in index.get(word, ()):
            found[number] = found.get(number, 0) + worth(index[word])
    return found


def _chosen(key: Any = lambda points, n: (-points[n], n), **options: Any) -> Any:
    """The sentence that has the smallest key, where points or choice are made in another way."""

    def other(sentence: Any, index: Any) -> Any:
        points = _points(sentence, index, **options)
        return min(points, key=lambda n: key(points, n), default=0)

    return other


def _first_found(sentence: Any, index: Any) -> Any:
    points = _points(sentence, index)
    return max(points, key=points.__getitem__, default=0)


def _rarest(sentence: Any, index: Any) -> Any:
    known = [word for word in dict.fromkeys(sentence) if word in index]
    return index[min(known, key=lambda word: len(index[word]))][0] if known else 0


def _its_points(sentence: Any, index: Any) -> Any:
    return max(_points(sentence, index).values(), default=0)


def _nothing_known(call: Call) -> str | None:
    if problem := call.error(sentence=["katze"], index={"hund": [4]}):
        return (
            "Where the index knows no word of the sentence, 0 comes back; yours stops with "
            f"{type(problem).__name__}."
        )
    found = call(sentence=["katze"], index={"hund": [4]})
    return None if found == 0 else f"Where the index knows no word, 0 comes back, not {found}."


def _rare_first(call: Call) -> str | None:
    index = {"ein": [0, 1, 2, 3], "im": [0, 1, 2, 3], "hund": [5]}
    found = call(sentence=["ein", "im", "hund"], index=index)
    if found == 5:
        return None
    if found == call(sentence=["hund"], index={"hund": [0]}) == 1:
        return "These are its points. The number of the training sentence is asked for."
    return (
        "*ein* and *im* are each in four training sentences, *hund* only in number 5: 1/4 + 1/4 is "
        f"less than 1, so 5 comes back, not {found}."
    )


def _once(call: Call) -> str | None:
    index = {"ein": [1, 2], "hund": [4]}
    found = call(sentence=["ein", "ein", "ein", "hund"], index=index)
    if found == 4:
        return None
    return (
        "Each *different* word counts once: *ein*, three times in the sentence, gives 1/2 and not "
        f"3/2, so number 4 wins with *hund*, not {found}."
    )


CHECK = Exercise(
    "closest_caption",
    reference=closest_caption,
    inputs=_sentences,
    rules={
        "where no word is known, 0 comes back": _nothing_known,
        "a rare word gives more points than a frequent one": _rare_first,
        "a word counts once, however often it occurs": _once,
    },
    mistakes=[
        (
            "Every shared word gives one point here, the frequent as much as the rare. A word "
            "gives 1 / (number of training sentences that hold it).",
            _chosen(worth=lambda numbers: 1),
        ),
        (
            "A word that occurs twice in the sentence counts twice. Each different word counts "
            "once.",
            _chosen(again=True),
        ),
        (
            "Of sentences with equally many points the one that was found first comes back. The "
            "lowest number is asked for.",
            _first_found,
        ),
        (
            "Of sentences with equally many points the highest number comes back; the lowest is "
            "asked for.",
            _chosen(key=lambda points, n: (-points[n], -n)),
        ),
        (
            "This is the sentence with the *fewest* points.",
            _chosen(key=lambda points, n: (points[n], n)),
        ),
        (
            "A frequent word gives more points than a rare one. Divide 1 by the number of training "
            "sentences.",
            _chosen(worth=len),
        ),
        ("These are its points. The number of the training sentence is asked for.", _its_points),
        (
            "Only the rarest word decides. The points of all words are added up for each training "
            "sentence.",
            _rarest,
        ),
    ],
)
