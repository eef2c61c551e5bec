"""Chapter 00 tells of the rest of the book: what a check answers, and how long all of it takes."""

import re

import pytest
from programs import chapter_source

from attnbook import exercise, progress_file
from attnbook.checks import EXERCISES
from attnbook.contents import CHAPTERS
from attnbook.exercises import engine
from attnbook.minutes import MINUTES

WORDS = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"]


def text(cell_id: str) -> str:
    """A cell of chapter 00."""
    cells = chapter_source("00_start").cells
    return next(cell.source for cell in cells if cell.id == cell_id)


def stated(what: str) -> int:
    """How many hours of reading, or of exercises, the map says."""
    words = " ".join(text("map-text").split())
    match = re.search(
        r"about (?P<reading>\w+) hours of reading and (?P<exercises>\w+) of exercises", words
    )
    assert match
    return 10 + WORDS.index(match[what])


def test_the_mistake_that_is_shown_is_reported_in_the_words_of_the_check(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(progress_file.PROGRESS_VARIABLE, "")
    monkeypatch.delenv(engine.STRICT, raising=False)
    monkeypatch.setattr(engine, "verdicts", {})

    @exercise
    def shares(amounts):
        return amounts / amounts.max()

    shown = text("exercise-text").partition("```text\n")[2].partition("```")[0]
    assert shown and shown == capsys.readouterr().out


def test_the_hours_are_the_sums_of_the_minutes() -> None:
    assert EXERCISES.keys() <= CHAPTERS.keys()
    minutes = sum(sum(exercises.values()) for exercises in EXERCISES.values())
    assert stated("exercises") == round(minutes / 60), "mend map-text in 00_start.py"
    assert abs(stated("reading") - sum(MINUTES.values()) / 60) <= 1
