"""A cell can be run twice in a row: tried here on quick chapters, by tests/book/twice.py on all."""

from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from programs import ROOT, chapter_source, load

from attnbook.builder import notebooks as book

twice = load(ROOT / "tests" / "book" / "twice.py")
#: Chapters that take seconds; the others train, and take minutes.
QUICK = ("04_keys_and_values", "A_notation")


def test_a_cell_that_cannot_be_run_again_is_found(tmp_path: Path) -> None:
    cells = {
        "start": "x = [1, 2]",
        "harmless": "y = x[0]",
        "meant": "1 / 0",
        "always": "x.missing",
        "again": "x, y = x[0], y",
        "set-up": "import os\nassert os.environ['ATTNLIB_PROGRESS'] == ''",
    }
    made = [new_code_cell(text, id=name) for name, text in cells.items()]
    made[2].metadata["tags"] = ["raises-exception"]
    notebook = new_notebook(cells=[new_markdown_cell("# A chapter", id="title"), *made])
    assert twice.raising(notebook, tmp_path) == {
        "always": "AttributeError: 'list' object has no attribute 'missing'",
        "always-again": "AttributeError: 'list' object has no attribute 'missing'",
        "again-again": "TypeError: 'int' object is not subscriptable",
    }


@pytest.mark.parametrize("name", QUICK)
def test_every_cell_of_a_chapter_can_be_run_twice_in_a_row(name: str) -> None:
    notebook = book.without_solutions(chapter_source(name), name)
    found = twice.raising(notebook, ROOT / "chapters")
    assert found.keys() == twice.known().get(name, set()), found


def test_what_is_known_to_raise_is_a_cell_of_its_chapter() -> None:
    for name, cells in twice.known().items():
        ids = {cell.id for cell in chapter_source(name).cells}
        assert {cell.removesuffix(twice.AGAIN) for cell in cells} <= ids
