"""What became of a notebook that was graded, as text, as JSON, and kept short."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field

from .exercises.judge import RIGHT
from .exercises.show import MARK

NOT_JUDGED = "not judged"  # the time was over before
SHOWN = 300  # letters of a sentence in a report

Row = dict[str, str]


@dataclass
class Report:
    """What became of a notebook: a row for each exercise of its chapters."""

    notebook: str
    exercises: list[Row] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)  # cells that raised, hung or crashed
    missing: list[str] = field(default_factory=list)  # exercises of which there is no cell

    @property
    def right(self) -> int:
        return sum(row["state"] == RIGHT for row in self.exercises)

    @property
    def notes(self) -> list[str]:
        """What there is to say beside the verdicts."""
        gone = [f"no cell of the notebook holds {', '.join(self.missing)}"] if self.missing else []
        return [*gone, *self.problems]

    def as_json(self) -> str:
        """One line of JSON, in ASCII: no letter of a notebook can end it."""
        return json.dumps({**asdict(self), "right": self.right, "of": len(self.exercises)})

    def __str__(self) -> str:
        lines = [one_line(self.notebook)]
        for row in self.exercises:
            why = f": {row['diagnosis']}" if row["diagnosis"] and row["state"] != RIGHT else ""
            mark = MARK.get(row["state"], "?")
            lines.append(f"  {mark} {row['name']}, {row['state']}{why}")
        lines += [f"  note: {problem}" for problem in self.notes]
        return "\n".join([*lines, f"  {self.right} of {len(self.exercises)} exercises are right"])


def one_line(text: str, longest: int = SHOWN) -> str:
    """A stranger's text as a part of one line: blanks joined, short, nothing that moves a cursor.

    >>> one_line("a \\n b\\x1b[2K")
    'a b\\\\x1b[2K'
    """
    text = " ".join(text[: 10 * longest].split())
    text = text if len(text) <= longest else f"{text[: longest - 1]}…"
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
