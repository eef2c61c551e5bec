"""A page for the class: which exercise, which mistakes, how many. One file, without a name on it.

It may be projected: what it says of an exercise it says of all who handed it in, and a sentence
that quotes somebody's numbers quotes those of one of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files

from ...contents import CHAPTERS
from ...exercises.engine import names_by_chapter
from ...exercises.judge import BLANK, RIGHT, WRONG
from ...exercises.show import STATE_SYMBOLS
from ..report import NOT_JUDGED, Report, ResultRow
from .submissions import Submission

_KINDS = {RIGHT: "right", WRONG: "wrong", BLANK: "blank", NOT_JUDGED: "late"}  # a class in the CSS
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")


def class_page(submissions: Sequence[Submission]) -> str:
    """The page, as HTML that needs no other file and no network."""
    reports = [submission.report for submission in submissions if submission.report]
    by_name: dict[str, list[ResultRow]] = {}
    for report in reports:
        for row in report.exercises:
            by_name.setdefault(row["name"], []).append(row)
    sections = [
        _chapter(number, {name: by_name[name] for name in known if name in by_name})
        for number, known in names_by_chapter().items()
        if set(known) & by_name.keys()
    ]
    fill = {
        "head": _head(submissions, reports),
        "body": "\n".join(sections),
        "style": _asset("class.css"),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: fill[match[1]], _asset("class.html"))


@cache
def _asset(name: str) -> str:
    return (files(__package__) / "assets" / name).read_text(encoding="utf-8")


def _head(submissions: Sequence[Submission], reports: Sequence[Report]) -> str:
    students = len({submission.student for submission in submissions})
    rows = [row for report in reports for row in report.exercises]
    right = sum(row["state"] == RIGHT for row in rows)
    text = f"{_count(len(reports), 'notebook')} of {_count(students, 'student')}."
    if rows:
        text += f" {right} of {len(rows)} exercises are right, {100 * right / len(rows):.0f}%."
    if failed := len(submissions) - len(reports):
        text += f" {_count(failed, 'notebook')} could not be graded."
    return f"<p>{text}</p>"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _chapter(number: str, exercises: dict[str, list[ResultRow]]) -> str:
    title = escape(f"{number} · {CHAPTERS[number].title}")
    parts = "\n".join(_exercise(name, rows) for name, rows in exercises.items())
    return f"<section>\n<h2>{title}</h2>\n{parts}\n</section>"


def _exercise(name: str, rows: Sequence[ResultRow]) -> str:
    counts = Counter(row["state"] for row in rows)
    by_state = {state: counts[state] for state in _KINDS if counts[state]}
    bar = "".join(
        f'<span class="{_KINDS[state]}" style="flex-grow:{n}"></span>'
        for state, n in by_state.items()
    )
    text = ", ".join(
        f"{STATE_SYMBOLS.get(state, '?')} {n} {state}" for state, n in by_state.items()
    )
    items = "".join(f"<li><b>{n} ×</b> {escape(text)}</li>" for text, n in mistakes(rows))
    return (
        f'<article><h3>{escape(name)}</h3><div class="bar" aria-hidden="true">{bar}</div>'
        f"<p>{text}</p>{f'<ul>{items}</ul>' if items else ''}</article>"
    )


def mistakes(rows: Sequence[ResultRow]) -> list[tuple[str, int]]:
    """The diagnoses of the wrong answers, the most frequent first.

    Sentences that differ in numbers alone are one mistake, in the words of its first.
    """
    counts: Counter[str] = Counter()
    first: dict[str, str] = {}
    for row in rows:
        if row["state"] == WRONG:
            text = row["diagnosis"] or row["rule"]
            kind = _NUMBER.sub("#", text)
            first.setdefault(kind, text)
            counts[kind] += 1
    return [(first[kind], n) for kind, n in counts.most_common()]
