"""From clauses to sentences: joining them, and the text and links that come of them."""

from __future__ import annotations

from typing import NamedTuple

import english
from clauses import Both
from phrases import En, Ko


class Row(NamedTuple):
    """A finished sentence pair; `tokens` are the Korean tokens, "##" before a glued one."""

    korean: str
    english: str
    links: str
    kind: str
    tokens: tuple[str, ...]


class Draft(NamedTuple):
    """A sentence pair that is not written down yet, so that one of a wrong length costs little."""

    sentence: Both
    kind: str
    stop: str = "."

    def length(self) -> int:
        """Number of Korean tokens, with the full stop."""
        return len(self.sentence[0]) + 1


def comma() -> Ko:
    return Ko(",", glued=True)


def joined(clauses: list[Both], links: list[str]) -> Both:
    """Clauses in a row: "A, B, and C, but D".

    `links` has "go" (and) or "jiman" (but) for each clause but the last; the Korean ending is
    already there. In English only the last "and" of a series is spoken.
    """
    ko: list[Ko] = []
    en: list[En] = []
    for number, (clause_ko, clause_en) in enumerate(clauses):
        ko += clause_ko
        en += clause_en
        if number == len(links):
            break
        ending = clause_ko[-1]
        ko.append(comma())
        en.append(En(",", [], [ko[-1], ending]))
        series_goes_on = number + 1 < len(links) and links[number + 1] == "go"
        if links[number] == "jiman":
            en.append(En("but", [ending], [ko[-1]]))
        elif not series_goes_on:
            en.append(En("and", [ending], [ko[-1]]))
    return ko, en


def rendered(draft: Draft) -> Row:
    """Texts and links (Pharaoh: "j-t" sure, "j?t" possible) of a sentence, with its full stop."""
    sentence, kind, stop = draft
    end = Ko(stop, glued=True)
    ko = [*sentence[0], end]
    en = [*sentence[1], En(stop, [], [end, sentence[0][-1]])]
    where = {id(token): number for number, token in enumerate(ko)}
    links = {}
    for t, token in enumerate(en):
        for sign, tokens in (("?", token.maybe), ("-", token.sure)):
            for source in tokens:
                if id(source) in where:
                    links[where[id(source)], t] = sign
    korean = "".join(("" if token.glued else " ") + token.text for token in ko).strip()
    words = [token.text for token in en]
    for number, word in enumerate(words):
        if word == "a":
            words[number] = english.article(words[number + 1])
    text = "".join(("" if w in ",.?" else " ") + w for w in words).strip()
    pharaoh = " ".join(f"{j}{sign}{t}" for (j, t), sign in sorted(links.items()))
    tokens = tuple(("##" if k.glued and k.text not in ",.?" else "") + k.text for k in ko)
    return Row(korean, text[0].upper() + text[1:], pharaoh, kind, tokens)
