"""The cell that installs the book in Google Colab and on Kaggle: what it does there, and elsewhere.

A repository on this disk stands in for the one on the network. The rest is
real: git, pip, the wheel, an environment without the book.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import yaml
from clean_environment import CleanEnvironment
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


@pytest.mark.parametrize("address", ["", ADDRESS])
def test_the_cell_has_three_lines_of_which_the_first_names_what_it_is(address: str) -> None:
    first, condition, installs = colab_cell(address).splitlines()
    assert first.startswith("# Google Colab and Kaggle: ")
    assert all(len(line) <= 100 for line in (first, condition, installs))


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


# The whole of it --------------------------------------------------------------------------------


def published(folder: Path) -> Path:
    """A repository with what this checkout holds, as it would be on the network."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
    )
    if listed.returncode:
        pytest.skip("git says that this is no checkout: nothing here can be published")
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file() and not name.startswith(("tests/", "chapters/")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    me = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    for command in (["init", "-q"], ["add", "-A"], [*me, "commit", "-q", "-m", "The book"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


@pytest.mark.thorough
def test_chapter_00_begins_in_colab(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """From an empty folder, in an environment without the book, installed and not editable."""
    fresh = CleanEnvironment(tmp_path_factory.mktemp("colab"))
    fresh.variables["COLAB_RELEASE_TAG"] = "release-colab"
    # What the cell cannot bring along without a network comes from the environment of the tests.
    fresh.variables |= {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0"}
    repository = published(tmp_path).as_uri()
    chapter = book.read_source(ROOT / "chapters" / "source" / "00_start.py")
    cells = book.code_cells(book.without_solutions(chapter, "00_start"))[:5]
    assert [cell.id for cell in cells[:3]] == ["colab", "setup", "first"]
    cells[0].source = colab_cell(repository)
    program = "import attnbook; print(attnbook.__file__)"
    done = fresh.run_notebook(
        [*cells, nbformat.v4.new_code_cell(program)],
        "00_start.ipynb",
    )
    assert "Three dogs" in done[2].outputs[0].text
    assert Path(done[-1].outputs[0].text.strip()).is_relative_to(fresh.site.resolve())
