"""Build the book: chapters/source/NAME.py → chapters/NAME.ipynb and chapters/solutions/NAME.ipynb.

    python -m attnbook.builder [NAME ...] [--again | --check]

A source is a jupytext py:percent script. Its exercises are blank; the solutions notebook holds the
set-up, the exercises and their solutions, each from the module of its check in attnbook/checks, and
stops at one that is wrong. Both are executed, anew only when something they depend on changed since
(the code of the source, the modules behind its imports, the bundled data, the pinned versions) or
with --again; --check says which would be, and does nothing. Where only the text of a source
changed, it is put in and the outputs stay. They hold nothing of the machine or the moment: no
times, no versions, no paths, no random ids.
"""

import argparse
import ast
import hashlib
import os
import re
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError
from nbformat import NotebookNode
from traitlets.config import Config

from attnlib.files import write_bytes

from ..publish import colab_cell
from .dependencies import ROOT, code_cells, fingerprint, tags
from .korean import with_words, words
from .slides import slide_types

CHAPTERS = ROOT / "chapters"
# As ipykernel and JupyterLab write them, but for the version of Python.
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
LANGUAGE = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
}
WIDGET = "application/vnd.jupyter.widget-view+json"
IGNORED = "nbval-ignore-output"  # tag of cells that show progress or timings
CELL_TIMEOUT = 900  # the longest a cell may take
EXERCISE, SETUP, DRAWS, CHECK = "exercise", "setup", "hide-input", "check"  # tags of cells
FOLDED = {SETUP, DRAWS, CHECK}  # whose code JupyterLab keeps behind a click
STUB = "raise NotImplementedError"


class BuildError(Exception):
    """A chapter cannot be built: which, where, and why."""


def read_source(path: Path) -> NotebookNode:
    """The notebook a source describes, not executed: ids given, metadata reduced to what is ours.

    A cell's id is the one it names (``# %% id="softmax"``) or follows from its text. The last file
    of a chapter ends with the chapter's words in Korean.
    """
    notebook = jupytext.read(path, fmt="py:percent")
    metadata = dict(notebook.metadata.get("attnlib", {}))
    notebook.metadata = nbformat.from_dict(
        {"attnlib": metadata, "kernelspec": KERNEL, "language_info": LANGUAGE}
    )
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.cells = list(_with_colab(notebook.cells))
    taken: set[str] = set()
    for number, cell in enumerate(notebook.cells, 1):
        named = cell.metadata.pop("id", None)
        if named is not None and (named in taken or not re.fullmatch(r"[\w-]{1,64}", named)):
            raise BuildError(f"{path.name}, cell {number}: the id {named!r} is taken or malformed")
        cell.id = named or _derived_id(cell, taken)
        taken.add(cell.id)
        if cell.cell_type == "code" and FOLDED & {*tags(cell)}:
            cell.metadata["jupyter"] = {"source_hidden": True}
    if texts := [cell for cell in notebook.cells if cell.cell_type == "markdown"]:
        texts[-1].source = with_words(texts[-1].source, words(path))
    for cell, kind in zip(notebook.cells, slide_types(notebook.cells)):
        cell.metadata["slideshow"] = {"slide_type": kind}
    return notebook


def _with_colab(cells: list[NotebookNode]) -> Iterator[NotebookNode]:
    """The cells, and above a set-up the cell that installs the book where no reader could before.

    Google Colab and Kaggle open a notebook alone, without the book that it belongs to.
    """
    for cell in cells:
        if SETUP in tags(cell):
            metadata = {"id": "colab", "tags": [DRAWS]}  # folded
            yield nbformat.v4.new_code_cell(colab_cell(repository()), metadata=metadata)
        yield cell


def repository() -> str:
    """The address of the book's repository, of pyproject.toml; empty before it is published."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    match = re.search(r'^\[project\.urls\]\s*^Repository = "([^"]*)"', text, re.MULTILINE)
    return match[1] if match else ""


def _derived_id(cell: NotebookNode, taken: set[str]) -> str:
    base = f"{cell.cell_type}-{hashlib.sha256(cell.source.encode()).hexdigest()[:8]}"
    candidates = (base if number == 1 else f"{base}-{number}" for number in count(1))
    return next(candidate for candidate in candidates if candidate not in taken)


def without_solutions(notebook: NotebookNode, name: str) -> NotebookNode:
    """What the learner gets: every exercise is a function that raises NotImplementedError."""
    for cell in notebook.cells:
        if EXERCISE in tags(cell):
            _exercise_in(cell, name)
        elif cell.cell_type == "code" and "@exercise" in cell.source.splitlines():
            raise BuildError(f"{name}: cell {cell.id} has an exercise and no tag {EXERCISE!r}")
    return notebook


def only_solutions(notebook: NotebookNode, name: str) -> NotebookNode | None:
    """Set-up, exercises and their solutions, of which none may be wrong; None without exercises."""
    cells = [cell for cell in notebook.cells if SETUP in tags(cell) or cell.id == "colab"]
    cells += [nbformat.v4.new_code_cell(STRICT, id="strict")]
    for before, cell in zip([None, *notebook.cells], notebook.cells):
        if EXERCISE in tags(cell):
            cell.source = cell.source.replace(STUB, solution(name, _exercise_in(cell, name)))
            cells += [before] if before and before.cell_type == "markdown" else []
            cells += [cell]
    if not any(EXERCISE in tags(cell) for cell in cells):
        return None
    for cell in cells:
        cell.metadata.pop("slideshow", None)  # nobody projects these
    title = f"# Solutions to {_title(notebook)}\n\n{SPOILER}"
    notebook.cells = [nbformat.v4.new_markdown_cell(title, id="solutions"), *cells]
    notebook.metadata.attnlib.pop("needs", None)  # exercises bring their own inputs
    return notebook


def _exercise_in(cell: NotebookNode, name: str) -> str:
    """The name of the function that a cell asks for."""
    match = re.search(r"^@exercise\ndef (\w+)\(", cell.source, re.MULTILINE)
    if not match or cell.source.count(STUB) != 1:
        raise BuildError(f"{name}: cell {cell.id} needs @exercise, a function, and {STUB}")
    return match[1]


def solution(name: str, exercise: str) -> str:
    """The body of an exercise's solution: of the function of its name beside its check."""
    path = ROOT / f"attnbook/checks/ch{name.partition('_')[0]}/{exercise}.py"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == exercise and ast.get_docstring(node):
            lines = text.splitlines()[node.body[0].end_lineno : node.end_lineno]
            return "\n".join(lines).lstrip()
    raise BuildError(f"{name}: {path} has no function {exercise} with a docstring")


STRICT = """from attnbook import strict

strict()  # a wrong answer stops this notebook"""
SPOILER = "One solution for each exercise. Yours may look different and be as right."


def _title(notebook: NotebookNode) -> str:
    first = notebook.cells[0].source.splitlines()[0] if notebook.cells else ""
    return first.lstrip("# ")


def execute(notebook: NotebookNode, name: str, folder: Path = CHAPTERS) -> None:
    """Run every cell in order, in place. Raises BuildError at the first unexpected error."""
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=CELL_TIMEOUT,
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,  # and what a carriage return overwrote is gone
        resources={"metadata": {"path": str(folder)}},
        # Kernels of ipykernel 7.3 and later print a warning where their messages are plain text.
        config=Config({"KernelManager": {"transport_encryption": "auto"}}),
    )
    # Trainings are not slow on busy cores (see the Makefile), and nobody learns here.
    waits = {"OMP_WAIT_POLICY": "PASSIVE", "GOMP_SPINCOUNT": "1000"}
    try:
        client.execute(env={**waits, **os.environ, "ATTNLIB_PROGRESS": ""})
    except (CellExecutionError, CellTimeoutError) as error:
        raise BuildError(f"{name}: {error}") from error


def normalize(notebook: NotebookNode, previous: NotebookNode | None = None) -> None:
    """Remove what differs from run to run, in place.

    Progress bars leave nothing behind, and a cell that shows timings keeps the output of the
    notebook ``previous`` as long as its text is the same.
    """
    old = {cell.id: cell for cell in previous.cells} if previous else {}
    notebook.metadata.language_info = nbformat.from_dict(LANGUAGE)  # the kernel adds its version
    for cell in code_cells(notebook):
        cell.outputs = [output for output in cell.outputs if WIDGET not in output.get("data", {})]
        same = old.get(cell.id)
        if IGNORED in cell.metadata.get("tags", ()) and same and same.source == cell.source:
            cell.outputs = same.get("outputs", [])


def keep_outputs(notebook: NotebookNode, previous: NotebookNode) -> None:
    """Take over what the same code cells put out in the notebook ``previous``, in place."""
    for cell, same in zip(code_cells(notebook), code_cells(previous), strict=True):
        cell.outputs, cell.execution_count = same.outputs, same.execution_count


def build(source: Path, target: Path, force: bool = False) -> str:
    """Build a chapter and its solutions if need be: "executed", "given new text" or "unchanged".

    What was there stays on failure.
    """
    made_from = fingerprint(source)
    notebooks = {target: without_solutions(read_source(source), source.stem)}
    solutions = target.parent / "solutions" / target.name
    if solution_notebook := only_solutions(read_source(source), source.stem):
        notebooks[solutions] = solution_notebook
    executed = rewritten = False
    for path, notebook in notebooks.items():
        previous = read_built(path)
        needs = notebook.metadata.attnlib.get("needs")
        notebook.metadata.attnlib.made_from = made_from
        if previous and not is_stale(previous, made_from) and not force:
            keep_outputs(notebook, previous)
        else:
            _need(needs, source.stem)
            execute(notebook, source.stem, target.parent)
            executed = True
        normalize(notebook, previous)
        text = nbformat.writes(notebook).rstrip("\n") + "\n"
        if previous and path.read_text(encoding="utf-8") == text:
            continue
        rewritten = True
        write_bytes(path, text.encode())
    return "executed" if executed else "given new text" if rewritten else "unchanged"


def read_built(path: Path) -> NotebookNode | None:
    """The notebook that was built before; None where there is none."""
    return nbformat.read(path, as_version=4) if path.exists() else None


def is_stale(previous: NotebookNode | None, made_from: str) -> bool:
    """Whether the code behind a notebook has changed since it was executed."""
    return previous is None or previous.metadata.get("attnlib", {}).get("made_from") != made_from


def _need(corpus: Any, name: str) -> None:
    if corpus:
        from attnlib.data import load_corpus

        try:
            assert load_corpus(corpus).train
        except ValueError as error:
            raise BuildError(f"{name} needs the corpus {corpus}: {error}") from error


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m attnbook.builder", description="Build the notebooks whose source changed."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="10_translator, say (all)")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--again", action="store_true", help="execute unchanged ones too")
    mode.add_argument("--check", action="store_true", help="say which would be executed, no more")
    args = parser.parse_args()
    sources = {path.stem: path for path in sorted((CHAPTERS / "source").glob("*.py"))}
    if unknown := set(args.names) - set(sources):
        parser.error(f"there is no source {', '.join(unknown)}; there are {', '.join(sources)}")
    failed = False
    for name in args.names or sources:
        print(f"{name}: ", end="", flush=True)
        source, target = sources[name], CHAPTERS / f"{name}.ipynb"
        if args.check:
            stale = is_stale(read_built(target), fingerprint(source))
            print("would be executed" if stale else "unchanged")
            continue
        try:
            print(build(source, target, args.again))
        except BuildError as error:
            print("failed")
            print(error, file=sys.stderr)
            failed = True
    return int(failed)
