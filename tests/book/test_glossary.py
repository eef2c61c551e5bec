"""The glossary at the end of the book: in order, in two languages, and true of the chapters."""

import re
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "chapters" / "source"
PAGE = SOURCES / "A_notation.py"


def rows(text: str) -> list[list[str]]:
    """English, Korean, explanation, chapter."""
    table = text.partition("## Glossary")[2]
    found = re.findall(r"^# \| (.+) \|$", table, re.MULTILINE)
    return [row.split(" | ") for row in found if not row.startswith(("---", "English"))]


def faults(table: list[list[str]], chapters: dict[str, str]) -> list[str]:
    found = []
    terms = [row[0].lower() for row in table]
    if terms != sorted(terms):
        found.append("the rows are not in the order of the alphabet")
    if len(set(terms)) < len(terms):
        found.append("a term stands there twice")
    for english, korean, explanation, number in table:
        if not re.search("[가-힣]", korean):
            found.append(f"{english}: no Korean")
        if len(explanation) < 10:
            found.append(f"{english}: not explained")
        words = re.split(r", | and |\(|\)", english)
        text = re.sub(r"[\s#]+", " ", chapters.get(number, "")).lower()
        if not any(word.strip().lower() in text for word in words if word.strip()):
            found.append(f"{english}: chapter {number} does not use the word")
    return found


def test_every_term_has_its_korean_and_is_used_in_the_chapter_it_names() -> None:
    chapters = {path.name[:2]: path.read_text(encoding="utf-8") for path in SOURCES.glob("*.py")}
    table = rows(PAGE.read_text(encoding="utf-8"))
    assert len(table) > 80
    assert faults(table, chapters) == []


GOOD = [
    ["attention", "어텐션", "scores to weights", "04"],
    ["mask", "마스크", "booleans, True is real", "03"],
]


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        (GOOD[::-1], "the rows are not in the order of the alphabet"),
        ([GOOD[0], GOOD[0]], "a term stands there twice"),
        ([["attention", "attention", "scores to weights", "04"]], "attention: no Korean"),
        ([["attention", "어텐션", "?", "04"]], "attention: not explained"),
        ([["attention", "어텐션", "scores to weights", "03"]],
         "attention: chapter 03 does not use the word"),
    ],
)  # fmt: skip
def test_a_glossary_with_a_fault_is_refused(table: list[list[str]], fault: str) -> None:
    chapters = {"04": "# What is\n# Attention?", "03": "a mask"}
    assert faults(GOOD, chapters) == []
    assert faults(table, chapters) == [fault]
