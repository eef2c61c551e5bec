"""test_written: the sentences that no grammar made, in written.tsv."""

from __future__ import annotations

import re

from rows import MARKS, Row
from tokens import read_table

_ENGLISH = re.compile(r"[\w'-]+(?::\d+)?|[.,?!]")


def read_written() -> list[tuple[str, str, str]]:
    """Korean, English and links, as they stand in the table."""
    return [(korean, english, links) for korean, english, links in read_table("written.tsv")]


def cut(word: str, pieces: set[str]) -> list[str]:
    """A word as pieces, longest match first."""
    tokens: list[str] = []
    start = 0
    while start < len(word):
        mark = "##" if start else ""
        fits = [e for e in range(start + 1, len(word) + 1) if mark + word[start:e] in pieces]
        if not fits:
            raise ValueError(f"written.tsv: {word!r} cannot be cut into pieces of the corpus")
        tokens.append(mark + word[start : fits[-1]])
        start = fits[-1]
    return tokens


def written_rows(pieces: set[str]) -> list[Row]:
    """The table as rows of the corpus; a clause is what stands between two full stops."""
    rows = []
    for korean, english, links in read_written():
        tokens: list[str] = []
        for word in korean.split():
            bare = word.rstrip("".join(MARKS))
            tokens += [*cut(bare, pieces), *word[len(bare) :]]
        ends = [n for n, token in enumerate(tokens, 1) if token in (".", "?", "!")]
        target = _ENGLISH.findall(english)
        if target[0][:1].lower() + target[0][1:] != target[0] and target[0] not in ("I",):
            target[0] = target[0][:1].lower() + target[0][1:]
        rows.append(
            Row(
                korean,
                english,
                links,
                "written",
                " ".join(map(str, ends)),
                tuple(tokens),
                tuple(target),
            )
        )
    return rows
