"""Every notebook: built from its source, run once in order, honest about errors, readable by all.

nbval runs the notebooks; here they are only read.
"""

import getpass
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from programs import chapter_source

from attnbook.builder import notebooks as book

CHAPTERS = Path(__file__).parents[2] / "chapters"
NOTEBOOKS = sorted([*CHAPTERS.glob("*.ipynb"), *CHAPTERS.glob("solutions/*.ipynb")])
SOURCES = sorted((CHAPTERS / "source").glob("*.py"))

# What a cell that may show other output each time must be about.
IN_WORDS = "<details><summary>The figure in words</summary>"
ABOUT_TIME = re.compile(r"progress|tqdm|time|seconds|minutes|train|fit\(", re.IGNORECASE)
# Folders of a person's or a machine's, addresses in memory, and ids of processes.
MACHINE = re.compile(
    r"/(?:home|Users|root|tmp|var|opt|work|mnt)/\w|[A-Z]:\\\\?Users|site-packages"
    r"|\bat 0x[0-9a-f]{6,}|ipykernel_\d+"
)


def code(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def tags(cell: NotebookNode) -> set[str]:
    return set(cell.metadata.get("tags", ()))


def texts(cell: NotebookNode) -> Iterator[str]:
    """All that a reader sees of a code cell's outputs as text."""
    for output in cell.outputs:
        yield "".join(output.get("text", ""))
        yield "\n".join(output.get("traceback", ()))
        for kind, data in output.get("data", {}).items():
            if not kind.startswith("image/p"):
                yield data if isinstance(data, str) else str(data)


# The checks: each yields a sentence for every fault it finds -------------------------------------


def was_run_once_in_order(notebook: NotebookNode) -> Iterator[str]:
    for expected, cell in enumerate(code(notebook), 1):
        if cell.execution_count != expected:
            yield f"cell {cell.id} has execution count {cell.execution_count}, not {expected}"
        for output in cell.outputs:
            if output.get("execution_count", expected) != expected:
                yield f"an output of cell {cell.id} was made by another run"


def has_no_unexpected_error(notebook: NotebookNode) -> Iterator[str]:
    for cell in code(notebook):
        errors = [output for output in cell.outputs if output.output_type == "error"]
        if errors and "raises-exception" not in tags(cell):
            yield f"cell {cell.id} ended in {errors[0].ename}"
        if not errors and "raises-exception" in tags(cell):
            yield f"cell {cell.id} is meant to raise and did not"


def runs_on_the_kernel_python3(notebook: NotebookNode) -> Iterator[str]:
    if notebook.metadata.get("kernelspec", {}).get("name") != "python3":
        yield "the kernel is not python3"
    if "version" in notebook.metadata.get("language_info", {}):
        yield "the version of some Python is in the metadata"


def shows_nothing_of_the_machine(notebook: NotebookNode) -> Iterator[str]:
    private = {socket.gethostname(), getpass.getuser()} - {"root", "localhost"}
    for cell in code(notebook):
        for text in (*texts(cell), cell.source):
            if found := MACHINE.search(text):
                yield f"cell {cell.id} shows {found[0]!r}"
            if any(name in text for name in private if len(name) > 5):
                yield f"cell {cell.id} names this machine or its user"
        if "execution" in cell.metadata:
            yield f"cell {cell.id} holds the time of its execution"


def describes_every_figure(notebook: NotebookNode) -> Iterator[str]:
    for cell, after in zip(notebook.cells, [*notebook.cells[1:], None]):
        if cell.cell_type != "code":
            continue
        if any("image/png" in output.get("data", {}) for output in cell.outputs):
            text = cell.metadata.get("alt") or (after.source if after else "")
            folded = re.fullmatch(rf"{re.escape(IN_WORDS)}\n\n(.+)\n\n</details>", text, re.DOTALL)
            if not cell.metadata.get("alt") and not folded:
                yield f"below the figure of cell {cell.id} stands no folded 'The figure in words'"
            elif len(folded[1] if folded else text) < 60:
                yield f"the alternative text of cell {cell.id} is too short to say anything"


def hides_only_progress_and_time(notebook: NotebookNode) -> Iterator[str]:
    allowed = {"nbval-ignore-output", "raises-exception"}
    allowed |= {"hide-input", "setup", "exercise", "check"}
    for cell in code(notebook):
        markers = re.findall(r"(?mi)^#\s*(nbval[\w-]*|pytest[\w-]*)", cell.source)
        if unknown := (tags(cell) | set(markers)) - allowed:
            yield f"cell {cell.id} is marked {', '.join(sorted(unknown))}"
        hidden = "nbval-ignore-output" in tags(cell) | set(markers)
        if hidden and not ABOUT_TIME.search(cell.source):
            yield f"cell {cell.id} hides its output and shows neither progress nor time"


CHECKS = [
    was_run_once_in_order,
    has_no_unexpected_error,
    runs_on_the_kernel_python3,
    shows_nothing_of_the_machine,
    describes_every_figure,
    hides_only_progress_and_time,
]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: "/".join(path.parts[-2:]))
def test_a_notebook_has_no_fault(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert [fault for check in CHECKS for fault in check(notebook)] == []


def test_there_is_a_notebook_for_every_source_and_no_other() -> None:
    built = {path.stem for path in NOTEBOOKS if path.parent == CHAPTERS}
    assert {path.stem for path in SOURCES} == built
    assert built, "a book has chapters"


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_a_notebook_has_the_cells_of_its_source(source: Path) -> None:
    def cells_of(notebook: NotebookNode) -> list[tuple]:
        return [(c.id, c.cell_type, c.source, dict(c.metadata)) for c in notebook.cells]

    built = nbformat.read(CHAPTERS / f"{source.stem}.ipynb", as_version=4)
    meant = book.without_solutions(chapter_source(source.stem), source.stem)
    assert cells_of(built) == cells_of(meant), "make book"
    blanks = [cell for cell in code(built) if "exercise" in tags(cell)]
    for cell in blanks:
        assert cell.source.rstrip().endswith("raise NotImplementedError"), cell.id
        assert "not attempted" in "".join(texts(cell)), cell.id
    solutions = CHAPTERS / "solutions" / f"{source.stem}.ipynb"
    solved = book.only_solutions(chapter_source(source.stem), source.stem)
    assert solutions.exists() == (solved is not None), "make book"
    if solved is not None:
        built = nbformat.read(solutions, as_version=4)
        assert cells_of(built) == cells_of(solved), "make book"
        right = [cell.id for cell in code(built) if "✓" in "".join(texts(cell))]
        assert right == [cell.id for cell in blanks]
