"""What a class handed in, as a table in the terminal and as a table for other programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from attnlib.translator.cli import width

from ...exercises.engine import names_by_chapter
from ...exercises.judge import RIGHT
from ...exercises.show import STATE_SYMBOLS
from ..report import Report, escape_name, one_line
from .submissions import Submission, chapters_of

_NAME = 28  # cells for a name in the terminal
_CELL = 32_000  # characters; spreadsheets hold 32,767


def table(submissions: Sequence[Submission]) -> str:
    """A line for each notebook, with a mark for each exercise, and its notes below."""
    lines = [f"{_pad_name('student')} chapter  right  exercises, in the order of the chapter"]
    for submission in submissions:
        if submission.report is None:
            message = f"{one_line(escape_name(submission.path.name), 60)} {submission.problem}"
            lines.append(f"{_pad_name(submission.student)} -        not graded: {message}")
            continue
        rows = submission.report.exercises
        marks = "".join(STATE_SYMBOLS.get(row["state"], "?") for row in rows)
        chapter = "+".join(chapters_of(submission.report))
        right = f"{submission.report.num_right}/{len(rows)}"
        lines.append(f"{_pad_name(submission.student)} {chapter:<8} {right:>5}  {marks}")
        lines += [f"{'':4}note: {note}" for note in _notes(submission)]
    return "\n".join(lines)


def _notes(submission: Submission) -> list[str]:
    return (
        [submission.problem]
        if submission.report is None
        else [*submission.notes, *submission.report.notes]
    )


def _pad_name(text: str) -> str:
    """A name in as many cells of the terminal as all names have."""
    text = text[: 10 * _NAME]
    while width(text) > _NAME:
        text = text.removesuffix("…")[:-1] + "…"
    return text + " " * (_NAME - width(text))


def summary(submissions: Sequence[Submission], num_cached: int) -> str:
    """How many were graded, and which exercise fewest got right."""
    graded = [submission.report for submission in submissions if submission.report]
    kept = f" ({num_cached} of them before)" if num_cached else ""
    text = f"{len(graded)} of {len(submissions)} notebooks are graded{kept}."
    shares: dict[str, list[bool]] = {}
    for report in graded:
        for row in report.exercises:
            shares.setdefault(row["name"], []).append(row["state"] == RIGHT)
    if shares and graded[1:]:
        name, right = min(shares.items(), key=lambda item: sum(item[1]) / len(item[1]))
        text += f" Fewest got {name} right: {sum(right)} of {len(right)}."
    return text


def as_csv(submissions: Sequence[Submission]) -> str:
    """A row for each notebook and a column for each exercise of the chapters that were handed in.

    A cell that a spreadsheet would take for a formula begins with an apostrophe.
    """
    begun = {
        number
        for submission in submissions
        if submission.report
        for number in chapters_of(submission.report)
    }
    names = [
        (number, name)
        for number, known in names_by_chapter().items()
        if number in begun
        for name in known
    ]
    columns = [f"{number} {name}" for number, name in names]
    text = io.StringIO()
    write = csv.writer(text).writerow
    write(["student", "notebook", "right", "of", *columns, "notes"])
    for submission in submissions:
        report = submission.report or Report("")
        states = {row["name"]: row["state"] for row in report.exercises}
        counts = (report.num_right, len(report.exercises)) if submission.report else ("", "")
        cells = [submission.student, escape_name(submission.path.name), *counts]
        cells += [states.get(name, "") for _, name in names]
        write([_cell(str(cell)) for cell in (*cells, "; ".join(_notes(submission)))])
    return text.getvalue()


def _cell(text: str) -> str:
    """A text that a spreadsheet takes for a text, and that fits into one of its cells."""
    formula = text.lstrip().startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠"))
    text = f"'{text}" if formula or text[:1].isspace() else text
    return text if len(text) <= _CELL else f"{text[: _CELL - 1]}…"
