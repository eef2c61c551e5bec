"""How a chapter becomes slides: what ``jupyter nbconvert --to slides`` reads in each cell.

A section begins a slide, a subsection one below it. What follows appears on the same slide, a cell
at a time, as long as there is room; then another slide begins below. Lines are estimated from the
source alone, so that a notebook can be built without running it; a slide that gets fuller than
estimated can be scrolled. A class answers no recall questions and solves no exercises on slides:
those are skipped. What a figure shows, in words, goes into the speaker's notes.
"""

import math
from collections.abc import Iterator
from itertools import zip_longest

from nbformat import NotebookNode

SLIDE_LINES = 24  # lines of text that a slide of 960 x 700 shows
WIDTH = 84  # letters of such a line
FIGURE = 18  # lines that a figure, a drawing or a live view takes
DRAWS = ("plt.show()", "views.", "_view(", "_diagram(", "drawn(")
WORDS = "<details><summary>The figure in words</summary>"
SKIPPED_CALLS = ("recall(", "predict(", "progress(")  # cells for one reader, not for a class


def slide_types(cells: list[NotebookNode]) -> Iterator[str]:
    """The place of each cell in a show: slide, subslide, fragment, notes or skip.

    Never "-", which would put a cell into the fragment before it.
    """
    used = 0
    for cell, after in zip_longest(cells, cells[1:]):
        place = _place(cell, after)
        if place in ("skip", "notes"):
            yield place
            continue
        taken = lines(cell)
        if place == "fragment" and used + taken > SLIDE_LINES:
            place = "subslide"
        used = taken + (used if place == "fragment" else 0)
        yield place


def _place(cell: NotebookNode, after: NotebookNode | None) -> str:
    """Where a cell goes if there is room for it."""
    if cell.cell_type == "code":
        begins = "setup" in _tags(cell) or cell.get("id") == "colab"
        return "skip" if begins or _is_for_one(cell) else "fragment"
    if cell.source.startswith(WORDS):
        return "notes"
    if after and _is_for_one(after) and not after.source.startswith("predict("):
        return "skip"  # the statement of an exercise, say; what is predicted, a class guesses too
    heading = cell.source.partition(" ")[0]
    return {"#": "slide", "##": "slide", "###": "subslide"}.get(heading, "fragment")


def _is_for_one(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and (
        "exercise" in _tags(cell) or cell.source.startswith(SKIPPED_CALLS)
    )


def _tags(cell: NotebookNode) -> list[str]:
    return list(cell.metadata.get("tags", ()))


def lines(cell: NotebookNode) -> int:
    """About how many lines of a slide a cell takes, with what it will show below."""
    if cell.cell_type == "code":
        figure = FIGURE * any(mark in cell.source for mark in DRAWS)
        code = 0 if "hide-input" in _tags(cell) else cell.source.count("\n") + 2
        return code + (figure or cell.source.count("print("))
    blocks = cell.source.split("\n\n")
    return sum(1 + math.ceil(len(block) / WIDTH) + 3 * block.startswith("#") for block in blocks)
