"""Exercise 10.1: ``bpe_merge``."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise


def bpe_merge(words: dict[tuple[str, ...], int]) -> Any:
    """The most frequent pair of neighbors, and the words with that pair joined."""
    counts = Counter()
    for word, times in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] += times
    best = min(counts, key=lambda pair: (-counts[pair], pair))
    merged = {}
    for word, times in words.items():
        subwords = []
        for subword in word:
            if subwords and (subwords[-1], subword) == best:
                subwords[-1] += subword
            else:
                subwords.append(subword)
        merged[tuple(subwords)] = times
    return best, merged


def _words() -> Inputs:
    for text in ("a·b 1", "l·o·w 2 n·e·w 3 t·e·n 1", "h·a·h·a·h·a 1 h·o 2", "b·a 1 ca·b 3 c·b 3"):
        fields = text.split()
        pairs = zip(fields[::2], fields[1::2])
        yield {"words": {tuple(word.split("·")): int(times) for word, times in pairs}}
    draw = random.Random(5)
    for size in range(2, 30):
        words = [
            draw.choices(("a", "b", "c", "ab", "ca"), k=draw.randint(1, 5)) for _ in range(size)
        ]
        yield {"words": {tuple(word): draw.randint(1, 5) for word in words}}


def _neighbors(word: Any) -> Any:
    return zip(word, word[1:])


def _shown(word: Sequence[str]) -> str:
    return "·".join(map(str, word))


def _tuples(call: Call) -> str | None:
    for word in call.result[1]:
        if not isinstance(word, tuple):
            return (
                f"The word {word!r} is {'a string' if isinstance(word, str) else 'not a tuple'} "
                "now. Keep the keys tuples of subwords, so that it stays clear where a subword "
                "ends."
            )
    return None


def _most_frequent(call: Call) -> str | None:
    got, expected = tuple(call.result[0]), call.expected[0]
    if got == expected:
        return None
    counts = Counter()
    for word, times in call.words.items():
        for pair in _neighbors(word):
            counts[pair] += times
    message = (
        f"The pair {_shown(expected)} occurs side by side {counts[expected]} times, every word "
        "counted"
    )
    message += (
        f" as often as it occurs. You return {_shown(got)}, which does so {counts[got]} times."
    )
    if counts[got] == counts[expected]:
        message += " Of equally frequent pairs, return the first one, compared as tuples."
    return message


def _joined_everywhere(call: Call) -> str | None:
    pair, words = call.expected
    for before, (word, times) in zip(call.words, words.items()):
        if word not in call.result[1]:
            got = [_shown(w) for w in call.result[1] if "".join(w) == "".join(word)]
            return (
                f"When you join {_shown(pair)}, {_shown(before)} becomes {_shown(word)}, but you "
                f"have {got[0] if got else 'no such word'}: the two become one subword wherever "
                "they are neighbors, from left to right, and all other words stay."
            )
        if call.result[1][word] != times:
            return (
                f"{_shown(word)} still occurs {times} times; the answer has {call.result[1][word]}."
            )
    return None


def _in_a_string(words: dict[tuple[str, ...], int]) -> Any:
    best, _ = bpe_merge(words)
    texts = {" ".join(word): times for word, times in words.items()}
    return best, {
        tuple(text.replace(" ".join(best), "".join(best)).split(" ")): times
        for text, times in texts.items()
    }


CHECK = Exercise(
    bpe_merge,
    inputs=_words,
    rules={
        "every word is a tuple of its subwords": _tuples,
        "the most frequent pair of neighbors is chosen": _most_frequent,
        "the pair becomes one subword wherever it occurs, and all else stays": _joined_everywhere,
    },
    mistakes={
        "You joined the subwords in a string with spaces, where a·b is also found in xa·b: "
        "replace() does not see where a subword begins or ends. Compare whole subwords.": (
            _in_a_string
        ),
    },
)
