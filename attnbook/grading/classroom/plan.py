"""For those who teach: courses of some weeks, in minutes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from ...contents import CHAPTERS
from ...exercises import engine
from ...minutes import MINUTES

#: Weeks → the notebooks of each week, by number. The short course is the main line.
COURSES: Mapping[int, Sequence[str]] = {
    6: ("00 01", "02 03", "04 05", "06 07", "08 09", "10 11"),
    12: (
        *("00 01", "01b 02", "02b 03", "03b 04", "04b 05", "05b 05c"),
        *("06", "07 07b", "08 08b", "09 09b", "10 10b", "11 11b"),
    ),
}


class Course:
    """A course as a table: in notebooks HTML, text elsewhere."""

    heads = ("week", "chapters", "exercises", "to read", "to solve")

    def __init__(self, weeks: Sequence[str]) -> None:
        self.weeks = [week.split() for week in weeks]

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """Week, chapters, exercises, minutes to read and minutes for the exercises."""
        rows, known = [], engine.names_by_chapter()
        for week, numbers in enumerate(self.weeks, 1):
            read = sum(MINUTES[number] for number in numbers)
            minutes = {name: known[number][name] for number in numbers for name in known[number]}
            chapters = ", ".join(f"{number} {CHAPTERS[number].title}" for number in numbers)
            solve = f"{sum(minutes.values())} min"
            rows.append((str(week), chapters, ", ".join(minutes), f"{read} min", solve))
        return rows

    def total(self) -> tuple[str, str, str, str, str]:
        """The minutes of all weeks, as a row."""
        *_, read, solve = zip(*self.rows())
        sums = [sum(int(text.removesuffix(" min")) for text in column) for column in (read, solve)]
        hours = [f"{minutes / 60:.0f} hours" for minutes in sums]
        return "all", "", "", hours[0], hours[1]

    def __repr__(self) -> str:
        lines = [
            f"week {week}: {chapters}; {read} to read, {solve} for {names}"
            for week, chapters, names, read, solve in self.rows()
        ]
        *_, read, solve = self.total()
        return "\n".join([*lines, f"all weeks: {read} to read, {solve} for the exercises"])

    def _repr_html_(self) -> str:
        return _table(self.heads, [*self.rows(), self.total()])


def course(weeks: int) -> Course:
    """A course of 6 or of 12 weeks."""
    if weeks not in COURSES:
        raise ValueError(f"weeks must be one of {', '.join(map(str, COURSES))}, got {weeks!r}")
    return Course(COURSES[weeks])


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    style = "text-align:left;vertical-align:top"
    head = "".join(f"<th scope='col' style='{style}'>{text}</th>" for text in heads)
    body = "".join(
        "<tr>" + "".join(f"<td style='{style}'>{escape(cell)}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
