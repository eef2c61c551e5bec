"""The numbers in the prose: each stands in an output or in code nearby, or is accounted for.

A number of two digits or more in a text cell, or with a decimal point, must stand in the code or in
the printed output of one of the cells around it, rounded as the sentence rounds it, as a share or
as a percentage. What comes from elsewhere (a paper, the code of an earlier section, a product that
the sentence itself works out) is listed in ``numbers.tsv`` with where it comes from. Not read:
formulas and code in the text, dates, the numbers of sections, exercises and equations, a chapter's
title, minutes of exercises and sittings, "The figure in words" (told of a drawing, by eye), and
numbers that are written as words.
"""

import csv
import html
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from programs import ROOT

NEAR = 6  # cells before and behind
NUMBER = re.compile(r"(?<![\w.])\d*\.?\d+(?!\w)")
CODE = re.compile(r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$", re.DOTALL)
NO_PROSE = re.compile(
    r"\]\([^)]*\)|<[^>]+>|https?://\S+|§§? ?[\d.]+(, §?[\d.]+|[–-][\d.]+)*|^ *#.*$", re.MULTILINE
)
COUNTED = re.compile(  # sections, exercises, tables and their like, also "exercises 5.1 to 5.4"
    r"\b(?:chapters?|sections?|exercises?|figures?|equations?|tables?|footnotes?|eqs?\.|pp?\.)"
    r" ?\(?\d+(?:\.\d+)*(?:(?:, | and | or | to |–)\d+(?:\.\d+)*)*",
    re.IGNORECASE,
)
MINUTES = re.compile(  # of an exercise and of a sitting, which have tests of their own
    r"\*\w+, \d+ minutes|\*\d+ minutes, no check|About\s\d+\sminutes\sto\sread,\sand\s\d+\sfor"
)
YEAR = re.compile(r"(?:19|20)\d\d")
CHAPTERS = sorted((ROOT / "chapters").glob("[0-9][0-9]*_*.ipynb"))


def plain(text: str) -> str:
    """Digits as Python writes them."""
    return re.sub(r"(?<=\d)[,\u202f\u2009](?=\d{3})", "", text)


def shown(cell: NotebookNode) -> set[float]:
    """The numbers that a cell shows: in its code and what it prints, or in a text's own code."""
    if cell.cell_type == "markdown":
        texts = CODE.findall(cell.source)
    else:
        texts = [cell.source]
        for out in cell.outputs:
            data = out.get("data", {})
            drawn = re.sub(r"<(style|script).*?</\1>", "", data.get("text/html", ""), flags=re.S)
            texts += [out.get("text", ""), data.get("text/plain", "")]
            texts.append(html.unescape(re.sub(r"<[^>]+>", " ", drawn)))
    return {float(x) for x in re.findall(r"\d*\.?\d+(?:e-?\d+)?", plain(" ".join(texts)))}


def claimed_numbers(text: str) -> Iterator[str]:
    """The numbers of a text that an output should show."""
    text = plain(NO_PROSE.sub(" ", CODE.sub(" ", text)))
    text = MINUTES.sub(" ", COUNTED.sub(" ", text)).replace("AVX-512", " ")
    for number in NUMBER.findall(text):
        if len(number) > 1 and not YEAR.fullmatch(number):
            yield number


def stands(number: str, among: set[float]) -> bool:
    places = len(number.partition(".")[2])
    return any(round(x * by, places) == float(number) for x in among for by in (1, 100, 0.01))


def unproved(notebook: NotebookNode) -> set[tuple[str, str]]:
    """The id of a text cell and a number in it that nothing nearby shows."""
    numbers = [shown(cell) for cell in notebook.cells]
    found = set()
    for at, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown" and cell.id != "title" and not cell.id.endswith("-alt"):
            near = set[float]().union(*numbers[max(0, at - NEAR) : at + NEAR + 1])
            found |= {
                (cell.id, number)
                for number in claimed_numbers(cell.source)
                if not stands(number, near)
            }
    return found


def accounted() -> list[dict[str, str]]:
    with (Path(__file__).parent / "numbers.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_number_in_the_prose_is_shown_nearby_or_accounted_for(path: Path) -> None:
    listed = {(row["cell"], row["number"]) for row in accounted() if row["chapter"] == path.stem}
    assert unproved(nbformat.read(path, as_version=4)) == listed


def test_what_is_accounted_for_names_where_it_comes_from() -> None:
    rows = accounted()
    assert all(len(row["from"]) > 5 for row in rows)
    assert len({(row["chapter"], row["cell"], row["number"]) for row in rows}) == len(rows)
    assert {row["chapter"] for row in rows} <= {path.stem for path in CHAPTERS}
