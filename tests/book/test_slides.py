"""Slides: where each cell of a chapter goes in a show, and what nbconvert makes of that."""

from pathlib import Path

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from programs import chapter_source

from attnbook.builder import notebooks as book
from attnbook.builder import slides

CHAPTERS = Path(__file__).parents[2] / "chapters"


def text(source: str) -> NotebookNode:
    return new_markdown_cell(source)


def code(source: str, *tags: str) -> NotebookNode:
    return new_code_cell(source, metadata={"tags": list(tags)})


EXERCISE = (
    text("### Exercise 1 · Shares\n\nHints."),
    code("@exercise\ndef shares(a): ...", "exercise"),
)
WORDS = text("<details><summary>The figure in words</summary>\n\nA line.\n\n</details>")
LONG = "\n".join(f"x{line} = {line}" for line in range(15))


@pytest.mark.parametrize(
    ("cells", "places"),
    [
        ([text("# Why?"), code("import torch", "setup")], ["slide", "skip"]),
        ([text("Five questions."), code('recall("05")')], ["skip", "skip"]),
        ([text("## A"), code("x"), text("So.")], ["slide", "fragment", "fragment"]),
        ([text("## A"), text("### B"), text("Text.")], ["slide", "subslide", "fragment"]),
        ([text("## A"), *EXERCISE, code("y")], ["slide", "skip", "skip", "fragment"]),
        ([text("## A"), code(LONG), code(LONG)], ["slide", "fragment", "subslide"]),
        ([text("## A"), code(LONG), text("Read.")], ["slide", "fragment", "fragment"]),
        ([code("plot()\nplt.show()", "hide-input"), WORDS], ["fragment", "notes"]),
        (  # a class may guess, too, without the line in which one reader does
            [text("How many?"), code('predict("05.ratio", ...)'), code("print(e)")],
            ["fragment", "skip", "fragment"],
        ),
    ],
)
def test_where_a_cell_goes(cells: list[NotebookNode], places: list[str]) -> None:
    assert list(slides.slide_types(cells)) == places


@pytest.mark.parametrize("source", sorted((CHAPTERS / "source").glob("*.py")), ids=lambda p: p.stem)
def test_a_chapter_can_be_shown(source: Path) -> None:
    """Every section begins a slide, nothing is solved, and slides are small by their estimate."""
    cells = chapter_source(source.stem).cells
    place = {cell.id: cell.metadata.slideshow.slide_type for cell in cells}
    assert place[cells[0].id] == "slide"
    for cell in cells:
        if "exercise" in book.tags(cell):
            assert place[cell.id] == "skip"
        if cell.source.startswith("## ") and place[cell.id] != "slide":
            assert cell.id in ("recall-text", "five-text", "progress-text")
    filled: list[int] = []
    for cell in cells:
        if (kind := place[cell.id]) in ("slide", "subslide"):
            filled.append(slides.lines(cell))
        elif kind == "fragment":
            filled[-1] += slides.lines(cell)
            assert filled[-1] <= slides.SLIDE_LINES
