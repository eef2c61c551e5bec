"""The map that ``progress()`` shows: what is done in the book, and what is left in minutes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from ..contents import CHAPTERS
from ..exercises import engine
from ..exercises.judge import BLANK, RIGHT
from ..exercises.show import STATE_COLORS, STATE_SYMBOLS
from ..progress_file import read_progress

Chapters = Mapping[str, Mapping[str, int]]


class Progress:
    """A map of the book: by chapter its exercises, what became of each, and the minutes left."""

    def __init__(self, chapters: Chapters, states: Mapping[str, str], saved: Mapping[str, Any]):
        self.chapters, self.saved = chapters, saved
        self.begun = [number for number, names in chapters.items() if set(names) & set(states)]
        self.states = {
            name: states.get(name, BLANK) for names in chapters.values() for name in names
        }

    def _left(self, names: Mapping[str, int]) -> int:
        return sum(minutes for name, minutes in names.items() if self.states[name] != RIGHT)

    def _rows(self) -> Iterator[tuple[str, str, list[str], str]]:
        """By chapter: number, title, its exercises, and what is left."""
        for number, names in self.chapters.items():
            left = self._left(names)
            yield number, CHAPTERS[number].title, [*names], _time(left) if left else "done"

    def _sentences(self) -> list[str]:
        """What there is to say beside the map."""
        done = sum(state == RIGHT for state in self.states.values())
        left = sum(map(self._left, self.chapters.values()))
        lines = [f"{done} of {len(self.states)} exercises are right"]
        lines[0] += f"; the others take about {_time(left)}." if left else "."
        for number in self.begun:
            names = [name for name in self.chapters[number] if self.states[name] != RIGHT]
            lines += [f"To do in {number}: {', '.join(names)}."] if names else []
        if predictions := list(self.saved["predictions"].values()):
            lines.append(_predictions(predictions))
        answers = [right for row in self.saved["recall"].values() for right in row.values()]
        if answered := [right for right in answers if right is not None]:
            share = f"{sum(answered)} of {len(answered)}"
            lines.append(
                f"Recall: {share} answers were right. The questions that you missed come back."
            )
        return lines

    def __repr__(self) -> str:
        rows = []
        for number, title, names, left in self._rows():
            marks = "".join(STATE_SYMBOLS[self.states[name]] for name in names)
            rows.append(f"{number} {title:<28} {marks:<10}  {left}")
        return "\n".join([*rows, *self._sentences()])

    def _repr_html_(self) -> str:
        rows = []
        for number, title, names, left in self._rows():
            marks = " ".join(
                f"<span style='color:{STATE_COLORS[state]}' title='{escape(name)}: {state}'>"
                f"{STATE_SYMBOLS[state]}</span>"
                for name in names
                for state in [self.states[name]]
            )
            name = f"{number} · {escape(title)}"
            if (chapter := CHAPTERS[number]).is_here:
                name = f"<a href='{chapter.link()}'>{name}</a>"
            cells = (name, marks, left)
            rows.append(
                "<tr>"
                + "".join(f"<td style='text-align:left'>{cell}</td>" for cell in cells)
                + "</tr>"
            )
        heads = "".join(
            f"<th style='text-align:left'>{head}</th>" for head in ("chapter", "exercises", "left")
        )
        sentences = "<br>".join(map(escape, self._sentences()))
        table = f"<table><tr>{heads}</tr>{''.join(rows)}</table>"
        return f"<p>{sentences}</p><details><summary>The whole book</summary>{table}</details>"


def _time(minutes: int) -> str:
    """Minutes as one would say them.

    >>> _time(119), _time(120), _time(913)
    ('119 min', '2 h', '15 h')
    """
    return f"{minutes} min" if minutes < 120 else f"{minutes / 60:.0f} h"


def _predictions(predictions: list[dict[str, Any]]) -> str:
    """How many came true.

    >>> _predictions([{"right": True}, {"right": False}])
    'Predictions: 1 of 2 came true.'
    """
    right = sum(prediction["right"] for prediction in predictions)
    return f"Predictions: {right} of {len(predictions)} came true."


def progress() -> Progress:
    """What is done in the whole book: in this session, and before, where it was kept."""
    saved = read_progress()
    current = {name: verdict.state for name, verdict in engine.verdicts.items()}
    tried = {name: state for name, state in current.items() if state != BLANK}
    return Progress(engine.names_by_chapter(), {**current, **saved["exercises"], **tried}, saved)
