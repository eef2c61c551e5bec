"""The glossary at the end of the book: in order, in two languages, each term linked to the cell
that explains it."""

import re

import jupytext
from programs import ROOT, chapter_source

from attnbook.builder import korean
from attnbook.contents import CHAPTERS

SOURCES = ROOT / "chapters" / "source"
PAGE = SOURCES / "A_notation.py"
LINK = re.compile(r"\[(\d\d[bc]?)\]\((\w+)\.ipynb#cell-id=([\w-]+)\)")

NOTEBOOKS = {number: chapter.notebook for number, chapter in CHAPTERS.items()}

#: Terms that are not yet in bold where they are explained: make them so, and remove them here.
PLAIN = {
    "smoothing (BLEU)",
}


def rows(text: str) -> list[list[str]]:
    """English, Korean, explanation, where it is explained."""
    return [list(term) for term in korean.terms(text)]


def texts() -> dict[str, dict[str, str]]:
    """The text cells of each chapter: number → cell → text."""
    found = {}
    for path in SOURCES.glob("[01]*.py"):
        cells = jupytext.read(path, fmt="py:percent").cells
        text = {c.metadata["id"]: c.source for c in cells if c.cell_type == "markdown"}
        found[path.stem.partition("_")[0]] = text
    return found


def alike(text: str) -> str:
    """A text without breaks, capitals, and what differs between one and many or in spelling."""
    text = re.sub(r"\s+", " ", text).lower().replace("isation", "ization")
    return re.sub(r"ies\b", "y", text)


def words(english: str) -> list[str]:
    parts = re.split(r", | and |\(|\)", english)
    return [alike(part.strip()) for part in parts if part.strip()]


def faults(table: list[list[str]], chapters: dict[str, dict[str, str]]) -> list[str]:
    found = []
    terms = [row[0].lower() for row in table]
    if terms != sorted(terms):
        found.append("the rows are not in the order of the alphabet")
    if len(set(terms)) < len(terms):
        found.append("a term is there twice")
    for english, word, explanation, where in table:
        if not re.search("[가-힣]", word):
            found.append(f"{english}: no Korean")
        if len(explanation) < 10:
            found.append(f"{english}: not explained")
        link = LINK.fullmatch(where)
        if not link or link[2] != NOTEBOOKS[link[1]]:
            found.append(f"{english}: {where} is no link to a cell of a chapter")
        elif link[3] not in chapters[link[1]]:
            found.append(f"{english}: chapter {link[1]} has no text with the id {link[3]}")
        elif not used(english, chapters[link[1]][link[3]]):
            found.append(f"{english}: {link[1]} {link[3]} does not use the word")
    return found


def used(english: str, text: str) -> bool:
    plain = alike(text.replace("*", ""))
    return any(word in plain for word in words(english))


def bold(english: str, text: str) -> bool:
    """Whether the term stands in bold, or in a heading."""
    found = re.findall(r"\*\*(.+?)\*\*|^#+ ([^\n]+)$", text, re.DOTALL | re.MULTILINE)
    shown = alike(" ".join(map("".join, found)))
    return any(word in shown for word in words(english))


def test_every_term_has_its_korean_and_a_link_to_a_cell_that_uses_it() -> None:
    table = rows(PAGE.read_text(encoding="utf-8"))
    assert len(table) > 120
    assert faults(table, texts()) == []


def test_a_term_is_in_bold_where_it_is_explained() -> None:
    chapters = texts()
    plain = set()
    for english, _, _, where in rows(PAGE.read_text(encoding="utf-8")):
        link = LINK.fullmatch(where)
        assert link
        if not bold(english, chapters[link[1]][link[3]]):
            plain.add(english)
    assert plain - PLAIN == set()
    assert {english for english, *_ in rows(PAGE.read_text(encoding="utf-8"))} >= PLAIN


# At the end of each chapter ---------------------------------------------------------------------


def test_every_term_stands_once_in_korean_at_the_end_of_the_chapter_that_explains_it() -> None:
    lists: dict[str, list[str]] = {}
    for source in SOURCES.glob("[01]*.py"):
        cells = chapter_source(source.stem).cells
        last = [cell.source for cell in cells if cell.cell_type == "markdown"][-1]
        rows = re.findall(r"^\| (\[.+\]\(.+\)) \| (.+) \|$", last, re.MULTILINE)
        lists[source.stem] = [" ".join(row) for row in rows]
    for term in korean.terms(PAGE.read_text(encoding="utf-8")):
        line = f"[{term.english}]({term.address}) {term.korean}"
        there = [name for name, found in lists.items() if line in found]
        own = {name for name in lists if korean.chapter(name) == korean.chapter(term.address)}
        assert there == [max(own)], term.english
    chapters = {korean.chapter(name) for name, found in lists.items() if found}
    assert chapters == {korean.chapter(name) for name in lists}, "a chapter without words"
