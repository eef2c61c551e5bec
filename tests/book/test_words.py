"""The field's own words: private names for standard things are not used in chapters.

``chapters/source/words.tsv`` lists them as patterns, each with the standard term.
"""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from programs import ROOT, chapter_source

SOURCES = sorted((ROOT / "chapters" / "source").glob("*.py"))
SOURCES = [source for source in SOURCES if source.stem != "D_papers"]  # titles are their authors'
FILE = ROOT / "chapters" / "source" / "words.tsv"


def private() -> dict[re.Pattern[str], str]:
    """The patterns, each with what is said in its place."""
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {re.compile(row["private"], re.IGNORECASE): row["standard"] for row in rows}


def found(name: str, text: str) -> Iterator[str]:
    """The private words of a text, in prose or code, each with its cell and the standard term."""
    without_addresses = re.sub(r"\]\([^)]*\)", "]", text)  # they may say what they like
    flat = re.sub(r"\s+", " ", without_addresses)
    for pattern, standard in private().items():
        for match in pattern.finditer(flat):
            yield f"{name}: {match[0]!r}; write {standard or 'something else'}"


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_a_chapter_speaks_the_words_of_the_field(source: Path) -> None:
    cells = chapter_source(source.stem).cells
    lines = [line for cell in cells for line in found(cell.id, cell.source)]
    assert not lines, "\n".join(lines)


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_a_heading_is_words_alone(source: Path) -> None:
    """JupyterLab's table of contents shows formulas and code as they are typed: ``$W_a$``."""
    cells = chapter_source(source.stem).cells
    texts = (cell.source for cell in cells if cell.cell_type == "markdown")
    headings = [line for text in texts for line in text.splitlines() if re.match("#+ ", line)]
    assert headings[0].startswith("# ")
    assert [line for line in headings if re.search(r"[$`\\]", line)] == []
