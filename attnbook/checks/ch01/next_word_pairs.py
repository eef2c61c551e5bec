"""Exercise 1.3: ``next_word_pairs``."""

from __future__ import annotations

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


def _shared_list(sentence: list[Any], most: int) -> Pairs:
    return [(list(sentence[max(0, len(sentence) - 1 - most) : -1]), w) for w in sentence[1:]]


def _growing_list(sentence: list[Any], most: int) -> Pairs:
    return [(list(sentence[-most:]), word) for word in sentence[1:]]


def _by_word(sentence: list[Any], most: int) -> Pairs:
    pairs = []
    for word in sentence[1:]:
        t = sentence.index(word)
        pairs.append((sentence[max(0, t - most) : t], word))
    return pairs


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
            lambda sentence, most: [
                (sentence[max(0, t + 1 - most) : t + 1], sentence[t])
                for t in range(1, len(sentence))
            ],
        ),
        (
            "These are the first words of the sentence. A short memory keeps the last ones.",
            lambda sentence, most: [
                (sentence[:t][:most], sentence[t]) for t in range(1, len(sentence))
            ],
        ),
        (
            "Every history goes back to the beginning: `most` is not used.",
            lambda sentence, most: [(sentence[:t], sentence[t]) for t in range(1, len(sentence))],
        ),
        (
            "The first words of the sentence are never guessed. They have a shorter history, but "
            "they have one.",
            lambda sentence, most: [
                (sentence[t - most : t], sentence[t]) for t in range(most, len(sentence))
            ],
        ),
        (
            "A negative start counts from the end of the list: early histories come out wrong. "
            "max(0, ...) helps.",
            lambda sentence, most: [
                (sentence[t - most : t], sentence[t]) for t in range(1, len(sentence))
            ],
        ),
        (
            "The first word is guessed from nothing. It only marks the beginning: start with the "
            "second.",
            lambda sentence, most: [
                (sentence[max(0, t - most) : t], sentence[t]) for t in range(len(sentence))
            ],
        ),
        (
            "The end is never guessed: how should a network learn to stop?",
            lambda sentence, most: _history(sentence, most)[:-1],
        ),
        (
            "The histories run backward. Keep the order of the sentence.",
            lambda sentence, most: [(past[::-1], word) for past, word in _history(sentence, most)],
        ),
        (
            "The place of a word is looked up by the word: one that comes twice is found at its "
            "first place. Count positions instead.",
            _by_word,
        ),
        (_ONE_LIST, _shared_list),
        (_ONE_LIST, _growing_list),
        (
            "A history has one word too many: at most `most` are known.",
            lambda sentence, most: _history(sentence, most + 1),
        ),
        (
            "A history has one word too few: `most` words may be known.",
            lambda sentence, most: _history(sentence, most - 1),
        ),
        (
            "Each pair is (word, history). Asked for is (history, word).",
            lambda sentence, most: [(word, past) for past, word in _history(sentence, most)],
        ),
        (
            "The pairs come from the last word to the first. Keep the order of the sentence.",
            lambda sentence, most: _history(sentence, most)[::-1],
        ),
        (
            "The history stops one word early: the word directly before the guessed one is "
            "known, too.",
            lambda sentence, most: [
                (sentence[max(0, t - 1 - most) : t - 1], sentence[t])
                for t in range(1, len(sentence))
            ],
        ),
        (
            "The mark at the beginning is left out of the histories. It is a word like the others.",
            lambda sentence, most: [
                (sentence[max(1, t - most) : t], sentence[t]) for t in range(1, len(sentence))
            ],
        ),
    ],
)
