"""The cell that installs the book in Google Colab and on Kaggle: what it does there, and elsewhere.

A repository on this disk stands in for the one on the network. The rest is
real: git, pip, the wheel, an environment without the book.
"""

import os
import sys
from pathlib import Path

import nbformat
import pytest
import yaml
from nbclient import NotebookClient
from programs import ROOT, chapter_source

from attnbook.builder import notebooks as book
from attnbook.publish import colab_cell

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SOURCES = sorted((ROOT / "chapters" / "source").glob("*.py"))
ADDRESS = "https://example.org/book"
NOTED = """\
import json, sys
print(json.dumps(sys.argv[1:]), file=open("asked.json", "w"))
"""


@pytest.fixture
def rented(tmp_path: Path) -> Path:
    """A folder in which pip only notes what it was asked."""
    (tmp_path / "pip.py").write_text(NOTED, encoding="utf-8")
    return tmp_path


def run(cell: str, folder: Path, **variables: str) -> list[nbformat.NotebookNode]:
    """The outputs of the cell in a notebook's kernel."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell)])
    client = NotebookClient(
        notebook, timeout=120, allow_errors=True, resources={"metadata": {"path": str(folder)}}
    )
    client.execute(env={**os.environ, **variables})
    return notebook.cells[0].outputs


@pytest.mark.parametrize("name", ["COLAB_RELEASE_TAG", "KAGGLE_KERNEL_RUN_TYPE"])
def test_in_colab_and_on_kaggle_pip_installs_the_book_from_its_address(
    rented: Path, name: str
) -> None:
    run(colab_cell(ADDRESS), rented, **{name: "release-colab"})
    arguments = (rented / "asked.json").read_text(encoding="utf-8")
    assert arguments == f'["install", "--quiet", "git+{ADDRESS}"]\n'


def test_without_an_address_the_reader_is_asked_for_it(rented: Path) -> None:
    outputs = run(colab_cell(""), rented, COLAB_RELEASE_TAG="release-colab")
    (error,) = (output for output in outputs if output.output_type == "error")
    assert error.evalue == "Put here: %pip install git+ and the address of the book's repository"
    assert not (rented / "asked.json").exists()


def test_elsewhere_nothing_is_done(rented: Path) -> None:
    assert run(colab_cell(""), rented) == [] == run(colab_cell(ADDRESS), rented)
    assert not (rented / "asked.json").exists()


def test_the_cell_the_package_and_the_citation_name_the_same_repository() -> None:
    """...or none of them does, as long as the book is not published."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    address = project.get("urls", {}).get("Repository", "")
    assert citation.get("repository-code", "") == address
    assert book.repository() == address


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_the_cell_stands_folded_above_every_set_up_and_nowhere_else(source: Path) -> None:
    cells = chapter_source(source.stem).cells
    places = [number for number, cell in enumerate(cells) if cell.id == "colab"]
    assert places == [n - 1 for n, cell in enumerate(cells) if "setup" in book.tags(cell)]
    assert places or not book.code_cells(chapter_source(source.stem)), "code without a set-up"
    for place in places:
        assert cells[place].source == colab_cell(book.repository())
        assert cells[place].metadata == {
            "tags": ["hide-input"],
            "jupyter": {"source_hidden": True},
            "slideshow": {"slide_type": "skip"},
        }
