"""Exercise 1.3: ``next_word_pairs``."""

from __future__ import annotations

from typing import Any

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake

Pairs = list[tuple[list[Any], Any]]


def _texts() -> Inputs:
    yield {"sentence": ["<s>", "go", "</s>"], "most": 1}
    yield {"sentence": ["<s>", "the", "dog", "slept", "</s>"], "most": 2}
    yield {"sentence": ["<s>", "the", "dog", "slept", "</s>"], "most": 9}
    yield {"sentence": [2, 7, 8, 9, 7, 5, 3], "most": 3}


def _history(sentence: list[Any], most: int) -> Pairs:
    return [(sentence[max(0, t - most) : t], sentence[t]) for t in range(1, len(sentence))]


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


CHECK = Exercise(
    "next_word_pairs",
    reference=_history,
    inputs=_texts,
    rules={
        "every word but the first is guessed, in order": _every_word_once,
        "a history has at most `most` words": _short_enough,
    },
    mistakes=[
        Mistake(
            "The word to be guessed stands in its own history: that would be easy. Where must the "
            "slice end?",
            lambda sentence, most: [
                (sentence[max(0, t + 1 - most) : t + 1], sentence[t])
                for t in range(1, len(sentence))
            ],
        ),
        Mistake(
            "These are the first words of the sentence. A short memory keeps the last ones.",
            lambda sentence, most: [
                (sentence[:t][:most], sentence[t]) for t in range(1, len(sentence))
            ],
        ),
        Mistake(
            "Every history goes back to the beginning: `most` is not used.",
            lambda sentence, most: [(sentence[:t], sentence[t]) for t in range(1, len(sentence))],
        ),
        Mistake(
            "The first words of the sentence are never guessed. They have a shorter history, but "
            "they have one.",
            lambda sentence, most: [
                (sentence[t - most : t], sentence[t]) for t in range(most, len(sentence))
            ],
        ),
        Mistake(
            "A negative start counts from the end of the list: early histories come out wrong. "
            "max(0, ...) helps.",
            lambda sentence, most: [
                (sentence[t - most : t], sentence[t]) for t in range(1, len(sentence))
            ],
        ),
        Mistake(
            "The first word is guessed from nothing. It only marks the beginning: start with the "
            "second.",
            lambda sentence, most: [
                (sentence[max(0, t - most) : t], sentence[t]) for t in range(len(sentence))
            ],
        ),
        Mistake(
            "The end is never guessed: how should a network learn to stop?",
            lambda sentence, most: _history(sentence, most)[:-1],
        ),
        Mistake(
            "The histories run backward. Keep the order of the sentence.",
            lambda sentence, most: [(past[::-1], word) for past, word in _history(sentence, most)],
        ),
    ],
)
