"""The words of a chapter in Korean: its rows of the glossary, folded, at its end.

The glossary in A_notation.py is the only place where a term and its Korean are written. The last
file of a chapter gets the rows whose links lead into one of the chapter's files.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

GLOSSARY = "A_notation.py"
NEXT = "\n\n**Next.**"  # the last paragraph of a file
HEAD = "<details><summary>Words of this chapter in Korean</summary>"


class Term(NamedTuple):
    """A row of the glossary."""

    english: str
    korean: str
    explanation: str
    where: str  # a link to a cell of a chapter: [05](05_attention.ipynb#cell-id=aer-text)

    @property
    def address(self) -> str:
        return self.where.partition("](")[2].rstrip(")")


def terms(text: str) -> list[Term]:
    """The rows of the glossary in the source of a page.

    >>> (term,) = terms("## Glossary\\n# | mask | 마스크 | True is real | [03](03_x.ipynb#c) |")
    >>> term.korean, term.address
    ('마스크', '03_x.ipynb#c')
    """
    table = text.partition("## Glossary")[2]
    rows = [row.split(" | ") for row in re.findall(r"^# \| (.+) \|$", table, re.MULTILINE)]
    return [Term(*row) for row in rows if len(row) == 4 and row[0] not in ("---", "English")]


def chapter(name: str) -> str:
    """What the names of all files of a chapter begin with: 05 of 05b_two_decoders."""
    return name.partition("_")[0].rstrip("bcd")


def words(source: Path) -> list[Term]:
    """The terms for the end of a file: those of its chapter, where it is the chapter's last."""
    glossary = source.with_name(GLOSSARY)
    files = [path.stem for path in source.parent.glob("*.py")]
    own = sorted(name for name in files if chapter(name) == chapter(source.stem))
    if not glossary.is_file() or own[-1] != source.stem:
        return []
    rows = terms(glossary.read_text(encoding="utf-8"))
    return [term for term in rows if term.address.partition(".ipynb")[0] in own]


def with_words(text: str, glossary: Iterable[Term]) -> str:
    """The last text of a file with its words, above the line that names the next chapter.

    >>> print(with_words("Known.", []))
    Known.
    """
    rows = list(_rows(glossary))
    if not rows:
        return text
    folded = "\n".join(
        ["", "", HEAD, "", "| term | 한국어 |", "|---|---|", *rows, "", "</details>"]
    )
    before, mark, after = text.partition(NEXT)
    return before + folded + mark + after


def _rows(glossary: Iterable[Term]) -> Iterator[str]:
    for term in glossary:
        yield f"| [{term.english}]({term.address}) | {term.korean} |"
