"""The cell that installs the book in Google Colab and on Kaggle: what it does there, and elsewhere.

A module called ``google.colab`` stands in for Google's, and a repository on this disk for the one
on the network. The rest is real: git, pip, the wheel, an environment without the book.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import yaml
from fresh import Fresh
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from programs import ROOT, chapter_source, load

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

book = load(ROOT / "chapters" / "build.py")
CELL = (ROOT / "chapters" / "colab.py").read_text(encoding="utf-8")
SOURCES = sorted((ROOT / "chapters" / "source").glob("*.py"))
NOTED = """\
import json, sys
print(json.dumps(sys.argv[1:]), file=open("asked.json", "w"))
sys.exit("no network" if "nowhere" in sys.argv[-1] else 0)
"""


def address_line() -> str:
    """The cell's line with the address."""
    return next(line for line in CELL.splitlines() if "REPOSITORY = " in line)


def with_address(address: str) -> str:
    """The cell, had the book this address."""
    return CELL.replace(address_line(), f'REPOSITORY = "{address}"')


@pytest.fixture
def rented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which pip only notes what it was asked, and nobody finds the book."""
    (tmp_path / "pip.py").write_text(NOTED, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KAGGLE_KERNEL_RUN_TYPE", "Interactive")
    monkeypatch.delenv("PYTHONPATH", raising=False)
    return tmp_path


def run(cell: str, found: bool = False) -> subprocess.CompletedProcess:
    """Run the cell in a Python that finds the book, or in one that does not."""
    path = f"import sys; sys.path[:0] = [{str(ROOT)!r}]" if found else WITHOUT
    program = f"{path}\n{cell}"
    return subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8")


WITHOUT = """\
import importlib.util, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name: None if name == "attnbook" else find(name)"""


def test_where_the_book_is_missing_pip_is_asked_for_it_by_its_address(rented: Path) -> None:
    answer = run(with_address("https://example.org/book"))
    assert answer.returncode == 0, answer.stderr
    asked = (rented / "asked.json").read_text(encoding="utf-8")
    assert asked == '["install", "--quiet", "git+https://example.org/book"]\n'
    assert answer.stdout == (
        "The book and its data are installed; now run the cells below, from top to bottom.\n"
    )


def test_where_pip_fails_one_sentence_says_what_to_look_at(rented: Path) -> None:
    answer = run(with_address("https://example.org/nowhere"))
    said = answer.stderr.strip().splitlines()[-1]
    assert said.startswith("Stop: pip could not install the book from https://example.org/nowhere.")
    assert "internet" in said and said.endswith("pip says: no network")
    assert answer.stdout == ""


def test_without_an_address_the_reader_is_asked_for_it(rented: Path) -> None:
    answer = run(with_address(""))
    assert "Stop: This copy of the book does not know where the book is" in answer.stderr
    assert not (rented / "asked.json").exists()


def test_a_notebook_shows_that_sentence_alone_and_runs_no_cell_below(rented: Path) -> None:
    """No traceback: it would look as if the reader had done something wrong."""
    sources = [WITHOUT, with_address(""), "import attnbook"]
    notebook = nbformat.v4.new_notebook(cells=[*map(nbformat.v4.new_code_cell, sources)])
    client = NotebookClient(notebook, kernel_name="python3", timeout=120)
    with pytest.raises(CellExecutionError):
        client.execute()
    (shown,) = notebook.cells[1].outputs
    (line,) = shown.traceback
    assert line.startswith("This copy of the book does not know") and line.count(". ") == 0
    assert shown.output_type == "error", "Colab goes on with the cells below"
    assert notebook.cells[2].execution_count is None


def test_where_the_book_is_there_nothing_is_done(rented: Path) -> None:
    answer = run(CELL, found=True)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")
    assert not (rented / "asked.json").exists()


def test_elsewhere_nothing_is_done(rented: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KAGGLE_KERNEL_RUN_TYPE")
    answer = run(CELL)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")
    assert not (rented / "asked.json").exists()


def test_the_cell_the_package_and_the_citation_name_the_same_repository() -> None:
    """...or none of them does, as long as the book is not published."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    address = project.get("urls", {}).get("Repository", "")
    assert citation.get("repository-code", "") == address
    assert address_line() == f'REPOSITORY = "{address}"'


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_the_cell_stands_folded_above_every_set_up_and_nowhere_else(source: Path) -> None:
    cells = chapter_source(source.stem).cells
    places = [number for number, cell in enumerate(cells) if cell.id == "colab"]
    assert places == [n - 1 for n, cell in enumerate(cells) if "setup" in book.tags(cell)]
    assert places or not book.code_cells(chapter_source(source.stem)), "code without a set-up"
    for place in places:
        assert cells[place].source == CELL.rstrip("\n")
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


def test_chapter_00_begins_in_colab(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """From an empty folder, in an environment without the book, installed and not editable."""
    fresh = Fresh(tmp_path_factory.mktemp("colab"))
    (fresh.site / "google" / "colab").mkdir(parents=True)
    (fresh.site / "google" / "colab" / "__init__.py").touch()
    # What the cell cannot bring along without a network comes from the environment of the tests.
    fresh.variables |= {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0"}
    repository = published(tmp_path).as_uri()
    chapter = book.read_source(ROOT / "chapters" / "source" / "00_start.py")
    cells = book.code_cells(book.without_solutions(chapter, "00_start"))[:5]
    assert [cell.id for cell in cells[:3]] == ["colab", "setup", "first"]
    cells[0].source = with_address(repository)
    told = "import attnbook; print(attnbook.__file__)"
    done = fresh.run_notebook(
        [
            nbformat.v4.new_code_cell("import google.colab"),  # Colab's kernel did that already
            *cells,
            nbformat.v4.new_code_cell(told),
        ],
        "00_start.ipynb",
    )
    assert "installed" in done[1].outputs[0].text
    assert "Two women" in done[3].outputs[0].text
    assert Path(done[-1].outputs[0].text.strip()).is_relative_to(fresh.site.resolve())
