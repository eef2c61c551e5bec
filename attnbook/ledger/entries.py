"""The entries of the ledger, read from ``assets/claims.md``, which says how it is written."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from ..contents import CHAPTERS, Chapter

FILE = Path(__file__).with_name("assets") / "claims.md"

#: What the book makes of a claim. It holds as it is said; it is right as far as it goes; as it is
#: said it is not so; the book does not settle it.
VERDICTS = ("corrects", "sharpens", "confirms", "leaves open")

#: Where a cell may stand: in a chapter, or on the page itself.
FILES = {**CHAPTERS, "C": Chapter("C_notes", "From the notes")}

_FIELD = re.compile(rf"(claim|natural|cells|{'|'.join(VERDICTS)}): ")


@dataclass(frozen=True)
class Note:
    """One of the five notes: its number, its author, its title, and where it stands."""

    number: str
    author: str
    title: str
    link: str


@dataclass(frozen=True)
class Claim:
    """A claim of a note, the note's own sentences, and what the book makes of it."""

    name: str  # "S28"
    note: Note
    originals: tuple[str, ...]
    text: str
    verdict: str
    shown: str  # what the book shows, a sentence
    natural: str  # for a correction: why the mistake is easy to make
    cells: tuple[tuple[str, str], ...]  # chapter and the id of a cell


def parse(text: str) -> list[Claim]:
    """The claims of a ledger. Raises ValueError, with the claim, for what is not well-formed.

    A note and one of its claims:

        ## 000 · finddme · Attention in sequence to sequence
        https://finddme.github.io/
        ### S6
        > 이전 step의 decoder hidden state vector와 ...
        claim: The attention score is found by putting ... into
          a linear function.
        corrects: With a linear function all queries would get the same weights.
        natural: The tanh is easily overlooked.
        cells: 05 linear-read
    """
    claims = []
    for section in re.split(r"(?m)^## ", text)[1:]:
        head, *entries = re.split(r"(?m)^### ", section)
        name, link = (line.strip() for line in head.strip().split("\n"))
        number, author, title = name.split(" · ")
        note = Note(number, author, title, link)
        claims += [_claim(note, entry) for entry in entries]
    for name, count in Counter(claim.name for claim in claims).items():
        if count > 1:
            raise ValueError(f"{name} is there twice")
    return claims


def _claim(note: Note, entry: str) -> Claim:
    name, *lines = entry.strip().split("\n")
    originals = tuple(line[2:].strip() for line in lines if line.startswith("> "))
    fields: dict[str, str] = {}
    for line in (line for line in lines if not line.startswith("> ")):
        if line.startswith("  ") and fields:
            fields[[*fields][-1]] += f" {line.strip()}"
        elif match := _FIELD.match(line):
            fields[match[1]] = line[match.end() :].strip()
        else:
            raise ValueError(f"{name}: what is {line!r}? A verdict is one of {', '.join(VERDICTS)}")
    verdicts = [field for field in fields if field in VERDICTS]
    if len(verdicts) != 1:
        raise ValueError(f"{name} must have one verdict, and has {len(verdicts)}")
    if not all(originals) or not originals:
        raise ValueError(f"{name} has no original")
    for field in ("claim", verdicts[0], "cells"):
        if not fields.get(field):
            raise ValueError(f"{name} says nothing under {field!r}")
    natural = fields.get("natural", "")
    if bool(natural) != (verdicts[0] == "corrects"):
        raise ValueError(f"{name}: a correction says why the mistake is natural, and only that")
    return Claim(
        name,
        note,
        originals,
        fields["claim"],
        verdicts[0],
        fields[verdicts[0]],
        natural,
        tuple(_cell(name, cell) for cell in fields["cells"].split(", ")),
    )


def _cell(name: str, cell: str) -> tuple[str, str]:
    chapter, _, identity = cell.partition(" ")
    if chapter not in FILES or not identity:
        raise ValueError(f"{name}: {cell!r} is no cell; write chapter and id, 05 linear-read")
    return chapter, identity
