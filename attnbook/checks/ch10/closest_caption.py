"""Exercise 10.5: ``closest_caption``."""

from __future__ import annotations

import itertools
import math
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
    yield {"sentence": ["Hund"], "index": {"Hund": [3]}}
    yield {"sentence": ["ein", "Hund"], "index": {"Hund": [4], "Kind": [2]}}
    yield {"sentence": ["Hund", "rot", "Kind"], "index": {"Hund": [4], "rot": [6], "Kind": [1]}}
    yield {"sentence": ["ein", "rot"], "index": {"ein": [0, 3], "rot": [3, 6]}}
    yield {"sentence": ["Hund", "ein"], "index": {"Hund": [0], "ein": [0, 3]}}
    frequent = {"ein": [0, 1, 2, 3], "im": [0, 1, 2, 3], "Hund": [5]}
    yield {"sentence": ["ein", "im", "Hund"], "index": frequent}
    # 1/4 + 1/4 + 1/4 is less than 1; by logarithms it is more
    yield {"sentence": ["ein", "im", "ist", "Hund"], "index": {**frequent, "ist": [0, 1, 2, 4]}}
    # 4/5 is less than 1; by log(1 + 1/n) it is more
    common = {
        word: [8, *range(n, n + 4)] for word, n in zip(("ein", "im", "am", "und"), (9, 13, 17, 21))
    }
    yield {"sentence": [*common, "Hund"], "index": {**common, "Hund": [2]}}
    for ein, im in (
        ([2, 4, 5], [2, 6, 9]),  # 1/3 + 1/3 is more than 1/2; by squares it is less
        ([2, 4, 5], [0, 1, 2, 3, 9, 10, 11]),  # 1/3 + 1/7 is a little less than 1/2
    ):
        index = {"rot": [7, 8], "ein": ein, "im": im}
        yield {"sentence": ["rot", "ein", "im"], "index": index}
    many = {f"Wort{n}": [(7 * n + 3) % 99] for n in range(99)}  # one point for each sentence
    yield {"sentence": list(many), "index": many}
    yield {
        "sentence": ["ein", "mit", "ein", "Hund", "ein"],
        "index": {"ein": [1, 2], "mit": [0, 2, 3, 4], "Hund": [4]},
    }
    draw = random.Random(3)
    words = "abcdefgh"
    index = {word: sorted(draw.sample(range(9), draw.choice((1, 2, 4)))) for word in words}
    for _ in range(6):
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


def _logarithms(beside: int) -> Any:
    def other(sentence: Any, index: Any) -> Any:
        def worth(numbers: Any) -> float:
            return math.log(beside + len(index) / len(numbers))

        points = _points(sentence, index, worth)
        return min(points, key=lambda n: (-points[n], n), default=0)

    return other


def _first_found(sentence: Any, index: Any) -> Any:
    points = _points(sentence, index)
    return max(points, key=points.__getitem__, default=0)


def _rarest(sentence: Any, index: Any) -> Any:
    known = [word for word in dict.fromkeys(sentence) if word in index]
    return index[min(known, key=lambda word: len(index[word]))][0] if known else 0


def _its_points(sentence: Any, index: Any) -> Any:
    return max(_points(sentence, index).values(), default=0)


def _of_words(kept: Any) -> Any:
    """The right answer, where something else is made of the sentence."""
    return lambda sentence, index: closest_caption(kept(sentence, index), index)


def _up_to_unknown(sentence: Any, index: Any) -> Any:
    return list(itertools.takewhile(index.__contains__, sentence))


def _in_all(sentence: Any, index: Any) -> Any:
    known = [set(index[word]) for word in sentence if word in index]
    return min(set.intersection(*known), default=0) if known else 0


def _joined(join: Any) -> Any:
    """What a word gives is not added to what is there already, but joined otherwise."""

    def other(sentence: Any, index: Any) -> Any:
        points: dict[int, Any] = {}
        for word in dict.fromkeys(sentence):
            for number in index.get(word, ()):
                points[number] = join(points.get(number, 0), 1 / len(index[word]))
        return min(points, key=lambda n: (-points[n], n), default=0)

    return other


def _first_of_each(sentence: Any, index: Any) -> Any:
    points: dict[int, float] = {}
    for word in dict.fromkeys(sentence):
        for number in index.get(word, ())[:1]:
            points[number] = points.get(number, 0) + 1 / len(index[word])
    return min(points, key=lambda n: (-points[n], n), default=0)


def _as_many_as_words(sentence: Any, index: Any) -> Any:
    points = [0.0] * len(index)
    for word in dict.fromkeys(sentence):
        for number in index.get(word, ()):
            points[number] += 1 / len(index[word])
    return points.index(max(points))


def _without_zero(sentence: Any, index: Any) -> Any:
    points = _points(sentence, index)
    return min((n for n in points if n), key=lambda n: (-points[n], n), default=0)


def _all_of_the_best(sentence: Any, index: Any) -> Any:
    points = _points(sentence, index)
    return sorted(n for n in points if points[n] == max(points.values()))


def _with_its_points(sentence: Any, index: Any) -> Any:
    points, number = _points(sentence, index), closest_caption(sentence, index)
    return (number, points[number]) if points else 0


def _nothing_known(call: Call) -> str | None:
    if problem := call.error(sentence=["Katze"], index={"Hund": [4]}):
        if isinstance(problem, KeyError):
            return "A word that the index does not know is passed over; yours stops with KeyError."
        return (
            "Where the index knows no word of the sentence, 0 comes back; yours stops with "
            f"{type(problem).__name__}."
        )
    found = call(sentence=["Katze"], index={"Hund": [4]})
    return None if found == 0 else f"Where the index knows no word, 0 comes back, not {found}."


def _rare_first(call: Call) -> str | None:
    index = {"ein": [0, 1, 2, 3], "im": [0, 1, 2, 3], "Hund": [5]}
    found = call(sentence=["ein", "im", "Hund"], index=index)
    if found == 5:
        return None
    if found == call(sentence=["Hund"], index={"Hund": [0]}) == 1:
        return "These are its points. The number of the training sentence is asked for."
    return (
        "*ein* and *im* are each in four training sentences, *Hund* only in number 5: 1/4 + 1/4 is "
        f"less than 1, so 5 comes back, not {found}."
    )


def _lowest(call: Call) -> str | None:
    index = {"Hund": [8], "Kind": [6], "Ball": [2], "Frau": [5], "Mann": [9], "rot": [7]}
    found = call.uncompared(sentence=list(index), index=index)
    if found not in (5, 6, 7, 8, 9):
        return None
    return (
        "Six words, each in one training sentence, give 2, 5, 6, 7, 8 and 9 equally many points, "
        f"and {found} comes back. The lowest number is asked for."
    )


def _once(call: Call) -> str | None:
    index = {"ein": [1, 2], "Hund": [4]}
    found = call(sentence=["ein", "ein", "ein", "Hund"], index=index)
    if found == 4:
        return None
    return (
        "Each *different* word counts once: *ein*, three times in the sentence, gives 1/2 and not "
        f"3/2, so number 4 wins with *Hund*, not {found}."
    )


CHECK = Exercise(
    "closest_caption",
    reference=closest_caption,
    inputs=_sentences,
    rules={
        "where no word is known, 0 comes back": _nothing_known,
        "a rare word gives more points than a frequent one": _rare_first,
        "of equal ones the lowest number comes back": _lowest,
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
        (
            "Only the rarest shared word counts for a training sentence. The points of all that it "
            "shares are added up.",
            _joined(max),
        ),
        (
            "A later word overwrites what an earlier one gave: += adds.",
            _joined(lambda before, new: new),
        ),
        (
            "Only the first training sentence of each word gets its points. All that hold it do.",
            _first_of_each,
        ),
        (
            "1 // n is 0 for every n above 1. The points are 1 / n.",
            _chosen(worth=lambda numbers: 1 // len(numbers)),
        ),
        (
            "A word gives 1 over the *square* of how many training sentences hold it. It gives "
            "1 / n.",
            _chosen(worth=lambda numbers: 1 / len(numbers) ** 2),
        ),
        *(
            (
                "Logarithms are no part of it: a word gives 1 / (number of training sentences that "
                "hold it).",
                _logarithms(beside),
            )
            for beside in (0, 1)
        ),
        (
            "Logarithms are no part of it: a word gives 1 / (number of training sentences that "
            "hold it).",
            _chosen(worth=lambda numbers: math.log(1 + 1 / len(numbers))),
        ),
        *(
            (
                "The points are rounded, which makes sentences equal that are not.",
                _chosen(key=lambda points, n, digits=digits: (-round(points[n], digits), n)),
            )
            for digits in (0, 1)
        ),
        (
            "As soon as one word is unknown, 0 comes back. Unknown words give no points, and the "
            "others go on counting.",
            lambda sentence, index: (
                closest_caption(sentence, index) if set(sentence) <= set(index) else 0
            ),
        ),
        (
            "The words behind the first unknown one are left out. Pass it over (continue) and go "
            "on.",
            _of_words(_up_to_unknown),
        ),
        (
            "Only training sentences that hold *all* known words are looked at. Every shared word "
            "gives its points.",
            _in_all,
        ),
        (
            "Only the first known word counts. Does the return stand inside the loop?",
            _of_words(lambda sentence, index: [w for w in sentence if w in index][:1]),
        ),
        (
            "These are characters, not words: `sentence` is a list of words.",
            _of_words(lambda sentence, index: list("".join(sentence))),
        ),
        (
            "Words are looked up in lower case. They stand in the index as they stand in the "
            "sentence.",
            _of_words(lambda sentence, index: [word.lower() for word in sentence]),
        ),
        (
            "A word that occurs twice in the sentence is left out. It counts once.",
            _of_words(lambda sentence, index: [w for w in sentence if sentence.count(w) == 1]),
        ),
        (
            "The list of points has a place for each *word* of the index. Training sentences have "
            "other numbers: take a dictionary.",
            _as_many_as_words,
        ),
        (
            "Sentence 0 gets no points here. It is a training sentence like the others.",
            _without_zero,
        ),
        ("All of the best come back. The lowest of their numbers is asked for.", _all_of_the_best),
        ("Its points come back, too. The number alone is asked for.", _with_its_points),
        (
            "`sentence` is a list of words already: it has no split.",
            lambda sentence, index: sentence.split(),
        ),
    ],
)
