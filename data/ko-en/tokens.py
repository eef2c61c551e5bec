"""What everything else is made of: chance, the tokens of both languages, tables in files.

Every English token knows the Korean tokens it stands for (`sure`) and those it may be counted
for (`maybe`): the gold alignment is built with the sentence.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import hangul

Item = TypeVar("Item")
HERE = Path(__file__).parent
# Words that only help another: they are linked, but never surely.
HELPERS = {"a", "an", "the", "of", "to"}


class Dice:
    """Choices made from `random.Random(seed).random()` only: its numbers are the same in every
    version of Python, those of `choice` and `shuffle` are not."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed).random

    def pick(self, items: Sequence[Item]) -> Item:
        return items[int(self.random() * len(items))]

    def chance(self, probability: float) -> bool:
        return self.random() < probability

    def weighted(self, items: dict[Item, float]) -> Item:
        point = self.random() * sum(items.values())
        for item, weight in items.items():
            point -= weight
            if point < 0:
                return item
        return item

    def mixed(self, items: Iterable[Item]) -> list[Item]:
        """The items in random order."""
        return [item for _, _, item in sorted((self.random(), n, i) for n, i in enumerate(items))]


class Ko:
    """A Korean token; `glued` to the one before it if it is not the first of its eojeol."""

    __slots__ = ("text", "glued")

    def __init__(self, text: str, glued: bool = False) -> None:
        self.text, self.glued = text, glued

    def __repr__(self) -> str:
        return "##" * self.glued + self.text


class En:
    """An English token and its links."""

    __slots__ = ("text", "sure", "maybe")

    def __init__(self, text: str, sure: Sequence[Ko] = (), maybe: Sequence[Ko] = ()) -> None:
        self.text, self.sure, self.maybe = text, list(sure), list(maybe)

    def __repr__(self) -> str:
        return self.text


Both = tuple[list[Ko], list[En]]
NOTHING: Both = ([], [])


def eojeol(*pieces: str) -> list[Ko]:
    """One written word of Korean, cut into these pieces."""
    return [Ko(piece, glued=number > 0) for number, piece in enumerate(pieces) if piece]


def marked(noun: list[Ko], kind: str) -> list[Ko]:
    """A noun with a particle that looks at its last sound: 책을, 사과를."""
    return [*noun, Ko(hangul.particle(noun[-1].text, kind), glued=True)]


def words(text: str, sure: Sequence[Ko], maybe: Sequence[Ko] = ()) -> list[En]:
    """English words that all stand for the same Korean tokens; articles and *of* only possibly."""
    return [
        En(word, [], [*sure, *maybe]) if word in HELPERS else En(word, sure, maybe)
        for word in text.split()
    ]


def read_table(name: str) -> list[list[str]]:
    """The rows of a tab-separated table beside this file, comments left out."""
    with open(HERE / name, encoding="utf-8", newline="") as lines:
        kept = (line for line in lines if not line.startswith("#"))
        rows = csv.reader(kept, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [row for row in rows if row]
