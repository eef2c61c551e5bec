"""A sentence pair while it is made, and as a row of a table: texts, links, clauses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import english
from tokens import Both, En, Ko, eojeol

MARKS = (",", ".", "?", "!")


class Row(NamedTuple):
    """A finished sentence pair; `tokens` are the Korean tokens, "##" before a glued one."""

    korean: str
    english: str
    links: str
    kind: str
    clauses: str  # how many Korean tokens there are up to the end of each clause
    tokens: tuple[str, ...]
    target: tuple[str, ...] = ()  # the English tokens, the first one as inside a sentence
    combinations: frozenset[tuple[str, str]] = frozenset()  # of a verb and its object

    def parts(self) -> list[str]:
        """The clauses, each as its Korean tokens without the marks around it."""
        ends = [0, *map(int, self.clauses.split())]
        pieces = [self.tokens[a:b] for a, b in zip(ends, ends[1:])]
        return [" ".join(t for t in piece if t not in MARKS) for piece in pieces]


@dataclass
class Draft:
    """A sentence pair that is not written down yet, so that one of a wrong length costs little."""

    sentence: Both
    kind: str
    stop: str = "."
    ends: list[Ko] = field(default_factory=list)  # the last token of each clause
    combinations: set[tuple[str, str]] = field(default_factory=set)  # verb and object

    def length(self) -> int:
        """Number of Korean tokens, with the full stop."""
        return len(self.sentence[0]) + 1


def fixed(korean: str, english_words: str) -> Both:
    """Words translated one by one: "지난 토요일|에", "last:0 Saturday:1".

    The number after the colon is the Korean token a word stands for; "?" makes it possible only.
    """
    ko = [piece for word in korean.split() for piece in eojeol(*word.split("|"))]
    en = []
    for item in english_words.split():
        word, _, numbers = item.rpartition(":")
        sure = [ko[int(n)] for n in numbers.split(",") if n and "?" not in n]
        maybe = [ko[int(n.strip("?"))] for n in numbers.split(",") if "?" in n]
        en.append(En(word, sure, maybe))
    linked = {id(k) for e in en for k in (*e.sure, *e.maybe)}
    en[-1].maybe += [k for k in ko if id(k) not in linked]
    return ko, en


def rendered(draft: Draft) -> Row:
    """Texts and links (Pharaoh: "j-t" sure, "j?t" possible) of a sentence, with its full stop."""
    end = Ko(draft.stop, glued=True)
    ko = [*draft.sentence[0], end]
    en = [*draft.sentence[1], En(draft.stop, [], [end, ko[-2]])]
    where = {id(token): number for number, token in enumerate(ko)}
    links = {}
    for t, token in enumerate(en):
        for sign, tokens in (("?", token.maybe), ("-", token.sure)):
            for source in tokens:
                if id(source) in where:
                    links[where[id(source)], t] = sign
    korean = "".join(("" if token.glued else " ") + token.text for token in ko).strip()
    texts = [token.text for token in en]
    for number, word in enumerate(texts):
        if word in ("a", "A"):
            form = english.article(texts[number + 1])
            texts[number] = form if word == "a" else form.capitalize()
    text = "".join(("" if w in MARKS else " ") + w for w in texts).strip()
    pharaoh = " ".join(f"{j}{sign}{t}" for (j, t), sign in sorted(links.items()))
    tokens = tuple(("##" if k.glued and k.text not in MARKS else "") + k.text for k in ko)
    ends = [where[id(token)] + 1 for token in draft.ends[:-1]] + [len(ko)]
    return Row(
        korean,
        text[0].upper() + text[1:],
        pharaoh,
        draft.kind,
        " ".join(map(str, ends)),
        tokens,
        tuple(texts),
        frozenset(draft.combinations),
    )
