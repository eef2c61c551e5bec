"""The code of the chapters: one statement a line, few answers of True or False, and what nobody has
to read folded or at the end."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from programs import ROOT, chapter_source

from attnbook.builder import notebooks as book

SOURCES = sorted((ROOT / "chapters" / "source").glob("*.py"))
ALLOWED = 2  # lines with True or False: real questions of yes or no


def code(source: Path) -> dict[str, str]:
    """The code cells of a chapter, by id."""
    return {cell.id: cell.source for cell in book.code_cells(chapter_source(source.stem))}


# One statement a line ----------------------------------------------------------------------------


def joined(cells: dict[str, str]) -> Iterator[str]:
    """Statements that share a line by commas (ruff sees semicolons): cell and line.

    A tuple that ends a cell is shown by the notebook, and so is no such statement; nor is one
    without a call.
    """
    for name, text in cells.items():
        tree = ast.parse(text)
        for node in ast.walk(tree):
            if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Tuple):
                continue
            calls = [isinstance(part, ast.Call) for part in node.value.elts]
            if any(calls) and node is not tree.body[-1]:
                yield f"{name}, line {node.lineno}: joined by commas"


# The same in every run ---------------------------------------------------------------------------


def by_chance(cells: dict[str, str]) -> Iterator[str]:
    """Loops over a set as it comes: of strings, in another order in every run of Python.

    ``max``, ``min``, ``any`` and ``all`` of what such a loop yields are the same in any order.
    """
    for name, text in cells.items():
        tree = ast.parse(text)
        fine = {
            id(loop)
            for call in ast.walk(tree)
            if isinstance(call, ast.Call) and ast.unparse(call.func) in ("max", "min", "any", "all")
            for part in call.args
            if isinstance(part, ast.GeneratorExp)
            for loop in part.generators
        }
        for node in ast.walk(tree):
            if isinstance(node, (ast.For, ast.comprehension)) and id(node) not in fine:
                over = node.iter
                made = isinstance(over, ast.Call) and ast.unparse(over.func) == "set"
                if made or isinstance(over, (ast.Set, ast.SetComp)):
                    yield f"{name}, line {over.lineno}: sorted(…) would make it one order"


# Answers of True and False -----------------------------------------------------------------------

TRUTH = re.compile(r"\b(?:True|False)\b")


def verdicts(notebook: NotebookNode) -> Iterator[str]:
    """Lines of output in which True or False stands."""
    for cell in book.code_cells(notebook):
        for output in cell.outputs:
            text = output.get("text", "") or output.get("data", {}).get("text/plain", "")
            yield from (line for line in text.splitlines() if TRUTH.search(line))


# What stands where -------------------------------------------------------------------------------

SETUP, FOLDED = "setup", {"setup", "hide-input", "check"}
MOST = 12  # lines of a set-up: GitHub folds none
_SHOWN = {"print", "display", "show"}


def shows(text: str) -> bool:
    """Whether a cell prints, draws or ends in a value, outside of the functions that it defines."""
    body = ast.parse(text).body
    if body and isinstance(body[-1], ast.Expr):
        return True
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Call):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else ast.unparse(called)
            if name in _SHOWN:
                return True
        if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            stack.extend(ast.iter_child_nodes(node))
    return False


def misplaced(notebook: NotebookNode) -> Iterator[str]:
    """Faults of order: a long set-up, a folded cell without a word, code before the first result,
    recall that is not at the end.

    The cell for Google Colab and Kaggle is not the chapter's.
    """
    cells = [cell for cell in notebook.cells if cell.id != "colab"]
    coded = [cell for cell in cells if cell.cell_type == "code"]
    waiting = True  # for the first result
    for cell in coded:
        tags, lines = {*cell.metadata.get("tags", ())}, cell.source.splitlines()
        if SETUP in tags and (lines[0] != "# set-up" or len(lines) > MOST):
            yield f"{cell.id}: begins with # set-up and has at most {MOST} lines, not {len(lines)}"
        elif tags & FOLDED and not re.match(r"# \w", lines[0]):
            yield f"{cell.id}: is folded and does not begin with a comment that says what it is"
        if waiting and SETUP not in tags and not cell.source.startswith("predict("):
            waiting = not shows(cell.source)
            if waiting and not tags & FOLDED:
                yield f"{cell.id}: stands open before the first result and shows nothing"
    read = [cell for cell in coded if "check" not in cell.metadata.get("tags", ())]
    calls = [cell.source.split("(")[0] for cell in read]
    if "recall" in calls and calls[-2:] != ["recall", "progress"]:
        yield "recall stands elsewhere than just before progress()"


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_the_code_of_a_chapter_has_no_fault(source: Path) -> None:
    cells = code(source)
    assert [*joined(cells), *by_chance(cells), *misplaced(chapter_source(source.stem))] == []
    built = nbformat.read(ROOT / "chapters" / f"{source.stem}.ipynb", as_version=4)
    assert len(lines := list(verdicts(built))) <= ALLOWED, lines
