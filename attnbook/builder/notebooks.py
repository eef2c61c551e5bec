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
from functools import cache
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError
from nbformat import NotebookNode

from ..publish import colab_cell
from .korean import with_words, words
from .slides import slide_types

PACKAGES = ("attnlib", "attnbook")
ROOT = Path(__file__).resolve().parents[2]
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
RECORDS = ("runs", "results")  # folders of the data, and how they are named in a string
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
    number = 1
    while (candidate := base if number == 1 else f"{base}-{number}") in taken:
        number += 1
    return candidate


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


def tags(cell: NotebookNode) -> list[str]:
    """The tags of a cell."""
    return list(cell.metadata.get("tags", ()))


def fingerprint(path: Path) -> str:
    """What outputs depend on: the code that runs, the data that it names, versions of packages.

    Code is what Python makes of it: no comment, docstring or layout is part of it, and neither is
    the builder. Checks are found by the number of the chapter; what else runs without being
    imported a source names itself (``reads``).
    """
    number = path.stem.partition("_")[0]
    what_runs = _what_runs(path)
    patterns = [f"attnbook/checks/ch{number}/*.py", *what_runs[0].get("reads", ())]
    checks = [file for pattern in patterns for file in ROOT.glob(pattern)]
    digest = hashlib.sha256(repr(what_runs).encode())
    named = named_data(path)
    for module in sorted(modules_behind(path, *checks) - {path}):
        digest.update(repr((module.name, code(module))).encode())
        named |= named_data(module)
    for file in sorted(named):
        digest.update(file.name.encode() + file.read_bytes())
    digest.update("".join(_versions()).encode())
    return digest.hexdigest()[:16]


def _what_runs(path: Path) -> list[Any]:
    """Of a source: what it says of itself, and the code of its cells, tags included."""
    notebook = jupytext.read(path, fmt="py:percent")
    metadata = dict(notebook.metadata.get("attnlib", {}))
    return [metadata, *((_parsed(cell), tags(cell)) for cell in code_cells(notebook))]


def _parsed(cell: NotebookNode) -> Any:
    """The code of a cell; its text where its output shows that (a traceback, a text on its own),
    where a semicolon hides the output, and where it is no Python."""
    try:
        tree = ast.parse(cell.source)
    except SyntaxError:
        return cell.source
    is_shown = "raises-exception" in tags(cell) or cell.source.rstrip().endswith(";")
    return cell.source if is_shown or ast.get_docstring(tree) else _shape(tree)


@cache
def code(module: Path) -> Any:
    """What a module runs, as nested lists."""
    return _shape(ast.parse(module.read_text(encoding="utf-8")))


def _shape(node: Any) -> Any:
    """A tree of code without docstrings and without what differs between versions of Python."""
    if isinstance(node, list):
        return [_shape(child) for child in node]
    if not isinstance(node, ast.AST):
        return repr(node)
    if isinstance(node, ast.JoinedStr):  # its text is cut into pieces in one way or another
        return _join_text(node.values)
    parts = {name: value for name, value in ast.iter_fields(node) if value not in (None, [])}
    if isinstance(node, _WITH_DOCSTRING) and ast.get_docstring(node) is not None:
        parts["body"] = node.body[1:]
    return [type(node).__name__, *((name, _shape(value)) for name, value in parts.items())]


def _join_text(values: list[Any]) -> list[Any]:
    """The parts of an f-string, text that follows on text as one."""
    parts: list[Any] = ["JoinedStr", ""]
    for value in values:
        if isinstance(value, ast.Constant):
            parts[-1] += value.value
        else:
            parts += [_shape(value), ""]
    return parts


_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def named_data(module: Path) -> frozenset[Path]:
    """The files of data that a module names in strings: ``"assets"`` beside it, ``"ko-en"`` among
    the data, and of ``"runs"`` and ``"results"`` those that it names, too."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    constants = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    strings = {value for value in constants if isinstance(value, str)}
    names = {name for name in strings - {*RECORDS} if re.fullmatch(r"\w[\w.-]*", name)}
    paths = [folder / name for folder in (module.parent, ROOT / "data") for name in names]
    for folder in {*RECORDS} & strings:
        paths += [ROOT / "data" / folder / f"{name.removesuffix('.json')}.json" for name in names]
    files = {file for path in paths for file in (path, *path.rglob("*")) if file.is_file()}
    return frozenset(file for file in files if file.suffix not in (".py", ".pyc"))


def _versions() -> list[str]:
    """The lines of constraints.txt that are about packages which the book's code needs."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    needed = text.partition("\ndependencies = [")[2].partition("\n]")[0]
    names = set(re.findall(r'^ +"([\w-]+)', needed, re.MULTILINE))
    lines = (ROOT / ".ci" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if re.split(r"[=<> ;]", line)[0] in names]


def modules_behind(*starts: Path) -> set[Path]:
    """These files and all modules of attnlib and attnbook that they import, directly or not."""
    modules: set[Path] = set()
    waiting = set(starts)
    while waiting:
        module = waiting.pop()
        if module not in modules:
            modules.add(module)
            for package, name in imported_names(module):
                waiting |= defining(package, name)
    return modules


def imported_names(path: Path) -> Iterator[tuple[str, str | None]]:
    """Each name that a file imports from attnlib or attnbook, anywhere in it: (module, name).

    The name is None where the whole module is imported.
    """
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names: list[tuple[str, str | None]] = [(alias.name, None) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = _absolute(node, path)
            names = [(module, alias.name) for alias in node.names]
        else:
            continue
        yield from ((module, name) for module, name in names if module.split(".")[0] in PACKAGES)


def _absolute(node: ast.ImportFrom, path: Path) -> str:
    if not node.level:
        return node.module or ""
    inside = path.parent.relative_to(ROOT).parts
    return ".".join([*inside[: len(inside) - node.level + 1], *filter(None, [node.module])])


def defining(module: str, name: str | None) -> set[Path]:
    """The file that defines a name, behind whatever ``__init__``; a whole module's own file."""
    folder = ROOT.joinpath(*module.split("."))
    file, init = folder.with_suffix(".py"), folder / "__init__.py"
    if file.is_file():
        return {file}
    if name and (inner := defining(f"{module}.{name}", None)):
        return inner
    if not init.is_file():
        return set()
    for node in ast.walk(ast.parse(init.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):  # of a lazy ``__init__``: under ``if TYPE_CHECKING``
            for alias in node.names:
                if name == (alias.asname or alias.name):
                    return defining(_absolute(node, init), alias.name)
    return {init, *folder.glob("*/__init__.py")} if name is None else {init}


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
    )
    try:
        client.execute(env={**os.environ, "ATTNLIB_PROGRESS": ""})  # nobody learns here
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


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The code cells of a notebook."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


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
        previous = nbformat.read(path, as_version=4) if path.exists() else None
        needs = notebook.metadata.attnlib.get("needs")
        notebook.metadata.attnlib.made_from = made_from
        if previous and made_from_of(previous) == made_from and not force:
            keep_outputs(notebook, previous)
        else:
            _need(needs, source.stem)
            path.parent.mkdir(exist_ok=True)
            execute(notebook, source.stem, target.parent)
            executed = True
        normalize(notebook, previous)
        text = nbformat.writes(notebook).rstrip("\n") + "\n"
        if previous and path.read_text(encoding="utf-8") == text:
            continue
        rewritten = True
        fresh = path.with_suffix(".new")
        fresh.write_text(text, encoding="utf-8", newline="\n")
        os.replace(fresh, path)
    return "executed" if executed else "given new text" if rewritten else "unchanged"


def made_from_of(notebook: NotebookNode) -> str | None:
    """The fingerprint of what a notebook was executed with."""
    fingerprint: str | None = notebook.metadata.get("attnlib", {}).get("made_from")
    return fingerprint


def is_stale(source: Path, target: Path) -> bool:
    """Whether the code behind a notebook has changed since it was executed."""
    previous = nbformat.read(target, as_version=4) if target.exists() else None
    return previous is None or made_from_of(previous) != fingerprint(source)


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
            print("would be executed" if is_stale(source, target) else "unchanged")
            continue
        try:
            print(build(source, target, args.again))
        except BuildError as error:
            print("failed")
            print(error, file=sys.stderr)
            failed = True
    return int(failed)
