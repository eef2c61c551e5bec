"""What became of a notebook that was graded, as text, as JSON, and kept short."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path

from ..exercises.judge import RIGHT
from ..exercises.show import STATE_SYMBOLS

NOT_JUDGED = "not judged"  # the time limit came first
MAX_TEXT = 300  # characters of a sentence in a report
MAX_NOTES = 20  # of a notebook
_JOINERS = "\u200c\u200d"  # letters of Hindi and Persian, and emoji, need them

ResultRow = dict[str, str]


@dataclass
class Report:
    """What became of a notebook: a row for each exercise of its chapters."""

    notebook: str
    exercises: list[ResultRow] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)  # cells that raised, hung or crashed
    missing: list[str] = field(default_factory=list)  # exercises of which there is no cell

    @property
    def num_right(self) -> int:
        return sum(row["state"] == RIGHT for row in self.exercises)

    @property
    def notes(self) -> list[str]:
        """What there is to say beside the verdicts."""
        gone = [f"no cell of the notebook holds {', '.join(self.missing)}"] if self.missing else []
        return [*gone, *self.problems]

    def as_json(self) -> str:
        """One line of JSON, in ASCII: no letter of a notebook can end it."""
        return json.dumps({**asdict(self), "right": self.num_right, "of": len(self.exercises)})

    def __str__(self) -> str:
        lines = [self.notebook]
        for row in self.exercises:
            reason = f": {row['diagnosis']}" if row["diagnosis"] and row["state"] != RIGHT else ""
            mark = STATE_SYMBOLS.get(row["state"], "?")
            lines.append(f"  {mark} {row['name']}, {row['state']}{reason}")
        lines += [f"  note: {problem}" for problem in self.notes]
        return "\n".join(
            [*lines, f"  {self.num_right} of {len(self.exercises)} exercises are right"]
        )


def escape_name(name: Path | str) -> str:
    """The name of a file, as a part of one line: what moves a cursor or is no letter is escaped.

    >>> escape_name("a\\n\\x1b[2K\\udcb1.ipynb")
    'a\\\\n\\\\x1b[2K\\\\udcb1.ipynb'
    """
    return "".join(c if _harmless(c) else ascii(c)[1:-1] for c in str(name))


def _harmless(letter: str) -> bool:
    return letter.isprintable() or letter in _JOINERS or unicodedata.category(letter) == "Zs"


def one_line(text: str, longest: int = MAX_TEXT) -> str:
    """Untrusted text as a part of one line: blanks joined, short, nothing that moves a cursor.

    >>> one_line("a \\n b\\x1b[2K")
    'a b\\\\x1b[2K'
    """
    text = escape_name(" ".join(text[: 10 * longest].split()))
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def limit_notes(notes: Sequence[str]) -> list[str]:
    """The first notes, each a short line, and how many more there are, if there are several."""
    more = len(notes) - MAX_NOTES
    shown = [one_line(note) for note in notes[: MAX_NOTES + (more == 1)]]
    return [*shown, f"and {more:,} more notes"] if more > 1 else shown


def list_names(names: Iterable[str], count: int, limit: int = 3) -> str:
    """The first of a number of names, and how many more there are.

    >>> list_names(["ann", "bob", "eve", "zoe"], 4)
    'ann, bob, eve and 1 more'
    """
    shown = ", ".join(one_line(escape_name(name), 60) for name in islice(names, limit))
    return shown + (f" and {count - limit:,} more" if count > limit else "")
