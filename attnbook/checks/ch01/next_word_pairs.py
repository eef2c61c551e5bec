"""Exercise 1.3: ``next_word_pairs``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise


def next_word_pairs(sentence: list[Any], most: int) -> Pairs:
    """[(history, word), ...] for every word but the first; history is a list of at most `most`."""
    return [(sentence[max(0, t - most) : t], sentence[t]) for t in range(1, len(sentence))]


Pairs = list[tuple[list[Any], Any]]


def _texts() -> Inputs:
    yield {"sentence": ["<s>", "go", "</s>"], "most": 1}
    yield {"sentence": ["<s>", "</s>"], "most": 3}
    yield {"sentence": ["<s>", "so", "so", "so", "</s>"], "most": 2}
    yield {"sentence": ["<s>", "the", "dog", "slept", "</s>"], "most": 2}
    yield {"sentence": ["<s>", "the", "dog", "slept", "</s>"], "most": 9}
    yield {"sentence": [2, 7, 8, 9, 7, 5, 3], "most": 3}


def _every_word_once(call: Call) -> str | None:
    guessed = [pair[1] for pair in call.result]
    if guessed == list(call.sentence[1:]):
        return None
    return (
        f"The words that are guessed are {guessed}; they should be all but the first: "
        f"{list(call.sentence[1:])}."
    )


def _short_enough(call: Call) -> str | None:
    for history, word in call.result:
        if len(history) > call.most:
            return (
                f"{word!r} is guessed from {len(history)} words, where at most {call.most} may be "
                "known."
            )
    return None


def _right_before(call: Call) -> str | None:
    """Which words they are."""
    for t, (history, word) in enumerate(call.result, start=1):
        known = list(call.sentence[max(0, t - call.most) : t])
        if list(history) != known:
            return (
                f"{word!r} at position {t} is guessed from {list(history)}; the last words before "
                f"it, at most {call.most}, are {known}."
            )
    return None


def _histories(
    piece: Callable[[int, int], slice], first: Callable[[int], int] = lambda most: 1
) -> Callable[..., Pairs]:
    """Another piece of the sentence before word t, or another first word that is guessed."""
    return lambda sentence, most: [
        (sentence[piece(t, most)], sentence[t]) for t in range(first(most), len(sentence))
    ]


def _each(change: Callable[..., Any]) -> Callable[..., Any]:
    """The right pairs, each changed."""
    return lambda sentence, most: [change(*pair) for pair in next_word_pairs(sentence, most)]


_ONE_LIST = (
    "All histories are one and the same list, which shows what it held last. Make a new list for "
    "each pair: list(history)."
)

CHECK = Exercise(
    "next_word_pairs",
    reference=next_word_pairs,
    inputs=_texts,
    rules={
        "every word but the first is guessed, in order": _every_word_once,
        "a history has at most `most` words": _short_enough,
        "a history is the last words before the guessed one": _right_before,
    },
    mistakes=[
        (
            "The word to be guessed stands in its own history: that would be easy. Where must the "
            "slice end?",
            _histories(lambda t, most: slice(max(0, t + 1 - most), t + 1)),
        ),
        (
            "The history stops one word early: the word directly before the guessed one is "
            "known, too.",
            _histories(lambda t, most: slice(max(0, t - 1 - most), t - 1)),
        ),
        (
            "These are the first words of the sentence. A short memory keeps the last ones.",
            _histories(lambda t, most: slice(min(t, most))),
        ),
        (
            "Every history goes back to the beginning: `most` is not used.",
            _histories(lambda t, most: slice(t)),
        ),
        (
            "The first words of the sentence are never guessed. They have a shorter history, but "
            "they have one.",
            _histories(lambda t, most: slice(t - most, t), first=lambda most: most),
        ),
        (
            "A negative start counts from the end of the list: early histories come out wrong. "
            "max(0, ...) helps.",
            _histories(lambda t, most: slice(t - most, t)),
        ),
        (
            "The first word is guessed from nothing. It only marks the beginning: start with the "
            "second.",
            _histories(lambda t, most: slice(max(0, t - most), t), first=lambda most: 0),
        ),
        (
            "The mark at the beginning is left out of the histories. It is a word like the others.",
            _histories(lambda t, most: slice(max(1, t - most), t)),
        ),
        (
            "The end is never guessed: how should a network learn to stop?",
            lambda sentence, most: next_word_pairs(sentence, most)[:-1],
        ),
        (
            "The histories run backward. Keep the order of the sentence.",
            _each(lambda history, word: (history[::-1], word)),
        ),
        (
            "The place of a word is looked up by the word: one that comes twice is found at its "
            "first place. Count positions instead.",
            lambda sentence, most: [
                (sentence[max(0, sentence.index(word) - most) : sentence.index(word)], word)
                for word in sentence[1:]
            ],
        ),
        (
            _ONE_LIST,
            lambda sentence, most: [
                (next_word_pairs(sentence, most)[-1][0], word) for word in sentence[1:]
            ],
        ),
        (_ONE_LIST, lambda sentence, most: [(sentence[-most:], word) for word in sentence[1:]]),
        (
            "A history has one word too many: at most `most` are known.",
            lambda sentence, most: next_word_pairs(sentence, most + 1),
        ),
        (
            "A history has one word too few: `most` words may be known.",
            lambda sentence, most: next_word_pairs(sentence, most - 1),
        ),
        (
            "Each pair is (word, history). Asked for is (history, word).",
            _each(lambda history, word: (word, history)),
        ),
        (
            "The pairs come from the last word to the first. Keep the order of the sentence.",
            lambda sentence, most: next_word_pairs(sentence, most)[::-1],
        ),
    ],
)
