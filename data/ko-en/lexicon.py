"""The words of the corpus, as lexicon.tsv lists them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import english
from hangul import Verb
from tokens import read_table


@dataclass(frozen=True)
class Entry:
    """One line of lexicon.tsv."""

    kind: str
    ko: str
    en: str
    classes: frozenset[str]
    more: dict[str, str] = field(hash=False, compare=False)

    def plural(self) -> str:
        """people, tomatoes, university students; glasses stay glasses."""
        given = self.more.get("plural", "").replace("|", " ")
        if given:
            return given
        if "many" in self.more and self.en.endswith("s"):
            return self.en
        return english.plural(self.en)

    @property
    def verb(self) -> Verb:
        """The word as what a clause ends in."""
        kind = self.more.get("irregular", "")
        return Verb(self.ko, kind, self.kind == "adjective" or "adjective" in self.more)


@cache
def read_lexicon() -> tuple[Entry, ...]:
    entries = []
    for kind, ko, en, *rest in read_table("lexicon.tsv"):
        classes, *more = [*rest, "", ""]
        pairs = (word.partition("=") for word in " ".join(more).split())
        values = {name: value or "yes" for name, _, value in pairs}
        kept = frozenset([*classes.split(), kind]) - {"-"}
        entries.append(Entry(kind, ko, en, kept, values))
    return tuple(entries)


class Lexicon:
    """Looks words up by kind, by class and by their Korean."""

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        self.of_kind: dict[str, list[Entry]] = {}
        self.by_ko: dict[str, Entry] = {}
        for entry in entries:
            self.of_kind.setdefault(entry.kind, []).append(entry)
        for kind in ("transport", "place", "animal", "person", "family", "noun"):
            self.by_ko.update({e.ko: e for e in self.of_kind.get(kind, [])})
        self.verbs = {e.ko: e.verb for k in ("adjective", "verb") for e in self.of_kind[k]}
        self.verbs |= {e.ko + "~": e.verb for e in self.of_kind["adjective"]}
        self.adverbs = {e.ko: e.en for e in self.of_kind["adverb"]}
        self._of_adjectives = " ".join(
            {name for adjective in self.of_kind["adjective"] for name in adjective.classes}
        )
        self._found: dict[tuple[str, str], list[Entry]] = {}

    def find(self, kind: str, classes: str) -> list[Entry]:
        """All entries of a kind that belong to one of the classes ("fruit snack")."""
        key = kind, classes
        if key not in self._found:
            wanted = frozenset(classes.split())
            self._found[key] = [e for e in self.of_kind[kind] if e.classes & wanted]
        return self._found[key]

    def described(self, kind: str) -> list[Entry]:
        """All entries of a kind of which some adjective can be said."""
        return self.find(kind, self._of_adjectives)

    def things(self, classes: str) -> list[Entry]:
        """Nouns of one of the classes, animals, places and people among them; "=책" names one."""
        named = [self.by_ko[c[1:]] for c in classes.split() if c.startswith("=")]
        kinds = ("noun", "animal", "place", "person")
        return named + [e for kind in kinds for e in self.find(kind, classes)]
