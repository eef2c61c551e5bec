"""What the outputs of a notebook depend on: the code that runs, the data that it names, versions.

A name is followed through every ``__init__`` to the module that defines it, so that a chapter
depends on what it uses of the library, not on all of it.
"""

import ast
import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jupytext
from nbformat import NotebookNode

PACKAGES = ("attnlib", "attnbook")
ROOT = Path(__file__).resolve().parents[2]
RECORDS = ("runs", "results")  # folders of the data, and how they are named in a string
_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The code cells of a notebook."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


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
        digest.update(repr((module.name, module_code(module))).encode())
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
def module_code(module: Path) -> Any:
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
            source = _absolute(node, init)
            for alias in node.names:
                if name == (alias.asname or alias.name):
                    return defining(source, alias.name)
                if name and alias.name == "*" and name in _names_of(source):
                    return defining(source, name)
    return {init, *folder.glob("*/__init__.py")} if name is None else {init}


def _names_of(module: str) -> set[str]:
    """The classes, functions and constants that a module's file defines."""
    tree = ast.parse(ROOT.joinpath(*module.split(".")).with_suffix(".py").read_text("utf-8"))
    names = {node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    constants = [target for node in tree.body for target in getattr(node, "targets", ())]
    return names | {target.id for target in constants if isinstance(target, ast.Name)}
