"""A cell can be run twice in a row: a reader runs it, looks, and runs it once more.

What a cell changed in place, or a name that it bound to something else than it found, shows then:
in the cell that runs it again (``cell-again``), or in a later one. All chapters take twice as long
as a build, so only the quickest are tried, with ATTNLIB_LONG=1 all of them.
"""

import copy
import os
import re
from pathlib import Path

import pytest
from driven import LONG
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook
from programs import ROOT, chapter_source

from attnbook.builder import notebooks as book

SOURCES = sorted(path.stem for path in (ROOT / "chapters" / "source").glob("*.py"))
QUICK = ["A_notation", pytest.param("04_keys_and_values", marks=pytest.mark.thorough)]
COLOR = re.compile(r"\x1b\[[\d;]*m")


def raising(notebook: NotebookNode, folder: Path) -> dict[str, str]:
    """Run a notebook, each cell twice: ids of the cells that raise and should not, and what."""
    cells = []
    for cell in book.code_cells(notebook):
        again = copy.deepcopy(cell)
        again.id = f"{cell.id}-again"
        cells += [cell, again]
    notebook.cells = cells
    where = {"metadata": {"path": str(folder)}}
    client = NotebookClient(notebook, timeout=1800, allow_errors=True, resources=where)
    client.execute(env={**os.environ, "ATTNLIB_PROGRESS": ""})
    return {
        cell.id: COLOR.sub("", f"{output.ename}: {output.evalue}")
        for cell in notebook.cells
        for output in cell.outputs
        if output.output_type == "error" and "raises-exception" not in book.tags(cell)
    }


def test_a_cell_that_cannot_be_run_again_is_found(tmp_path: Path) -> None:
    cells = {
        "start": "x = [1, 2]",
        "meant": "1 / 0",
        "always": "x.missing",
        "again": "x = x[0]",
        "set-up": "import os\nassert os.environ['ATTNLIB_PROGRESS'] == ''",
    }
    made = [new_code_cell(text, id=name) for name, text in cells.items()]
    made[1].metadata["tags"] = ["raises-exception"]
    assert raising(new_notebook(cells=made), tmp_path) == {
        "always": "AttributeError: 'list' object has no attribute 'missing'",
        "always-again": "AttributeError: 'list' object has no attribute 'missing'",
        "again-again": "TypeError: 'int' object is not subscriptable",
    }


@pytest.mark.parametrize("name", SOURCES if LONG else QUICK)
def test_every_cell_of_a_chapter_can_be_run_twice_in_a_row(name: str) -> None:
    notebook = book.without_solutions(chapter_source(name), name)
    assert raising(notebook, ROOT / "chapters") == {}
