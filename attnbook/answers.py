"""A learner's answers, read out of a saved notebook without running the rest of it.

Of a notebook an answer takes along what it uses: the imports, functions and values of earlier
cells that its names lead to, and nothing else. So it means the same in any process, and no cell
that it does not use can help it or harm it.
"""

from __future__ import annotations

import ast
import json
import re
import stat
import symtable
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

from .exercises.engine import find, names_by_chapter

_WRITTEN = re.compile(r"^\s*@(?:attnbook\.)?exercise\b.*?^\s*def\s+(\w+)", re.MULTILINE | re.DOTALL)
_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
_MINE, _BOOKS = "__mine__", "__the_books__"
#: What no answer needs and what could reach into the judge: ``suspicious`` looks for it.
_NAMES = {"__builtins__", "__import__", "delattr", "eval", "exec", "globals", "open", "setattr",
          "vars"}  # fmt: skip
_MODULES = {"builtins", "ctypes", "gc", "importlib", "inspect", "os", "subprocess", "sys",
            "traceback"}  # fmt: skip
_ATTRIBUTES = {"__builtins__", "__closure__", "__code__", "__globals__", "__subclasses__",
               "_getframe", "f_back", "f_globals", "f_locals", "gi_frame", "tb_frame"}  # fmt: skip


def read_cells(path: Path) -> list[str]:
    """The sources of a notebook's code cells. Raises ValueError where it is none."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise ValueError(f"{path} is not a file")
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ValueError(f"{path} does not exist") from None
    except OSError as problem:
        raise ValueError(f"{path} cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError as problem:
        raise ValueError(f"{path} is not a notebook: {problem}") from None
    try:
        notebook = json.loads(text)
        if "worksheets" in notebook:  # nbformat 3, up to 2015
            cells = [cell for sheet in notebook["worksheets"] for cell in sheet["cells"]]
        else:
            cells = notebook["cells"]
        codes = [cell for cell in cells if cell["cell_type"] == "code"]
        return ["".join(cell.get("source", cell.get("input"))) for cell in codes]
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as problem:
        raise ValueError(f"{path} is not a notebook: {problem}") from None


@dataclass(frozen=True)
class Answer:
    """Where a notebook answers an exercise, and what of the notebook the answer needs."""

    name: str
    cell: int  # among the code cells
    needs: tuple[ast.stmt, ...] = ()  # the definition is the last
    problem: str = ""  # why there is no definition

    def define(self) -> Callable[..., Any]:
        """The learner's function. Raises whatever its definition raises."""
        if self.problem:
            raise SyntaxError(self.problem)
        root = next(_root(d) for d in reversed(self._definition.decorator_list) if _is_mark(d))
        if not any(root in _names(statement)[0] for statement in self.needs):
            raise NameError(f"name {root!r} is not defined; is the set-up cell missing?")
        found = []

        def mine(function: Callable[..., Any]) -> Callable[..., Any]:
            found.append(function)
            return function

        body = [_marked(node, _MINE if node is self._definition else _BOOKS) for node in self.needs]
        names = {"__name__": "answers", _MINE: mine, _BOOKS: _the_books}
        exec(compile(ast.Module(body, []), f"<the answer {self.name}>", "exec"), names)
        return found[-1]

    @property
    def _definition(self) -> ast.FunctionDef:
        assert isinstance(self.needs[-1], ast.FunctionDef)
        return self.needs[-1]

    def suspicious(self) -> list[str]:
        """What the answer uses although no answer needs it; who reads it knows what it is for."""
        found: set[str] = set()
        imported = set().union(*(_names(node)[0] for node in self.needs if _imports(node)))
        for node in (node for statement in self.needs for node in ast.walk(statement)):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                modules = {getattr(node, "module", None) or "", *(name.name for name in node.names)}
                found |= {module for module in modules if module.startswith("attnbook.")}
                found |= modules & _MODULES
            elif isinstance(node, ast.Name):
                found |= {node.id} & _NAMES
            elif isinstance(node, ast.Attribute):
                sets = not isinstance(node.ctx, ast.Load) and _root(node) in imported
                found |= {ast.unparse(node)} if sets else {node.attr} & _ATTRIBUTES
        return sorted(found)


def _the_books(function: Callable[..., Any]) -> Callable[..., Any]:
    """What another answer means to this one: never wrong."""
    try:
        return find(function.__name__).reference
    except ValueError:  # no exercise of the book
        return function


def find_answers(cells: Sequence[str]) -> dict[str, Answer]:
    """The last answer to each exercise that a notebook holds."""
    known = {name for names in names_by_chapter().values() for name in names}
    before: list[ast.stmt] = []
    answers: dict[str, Answer] = {}
    for number, source in enumerate(cells):
        try:
            body = _parsed(source)
        except _UNREADABLE as problem:
            line = getattr(problem, "lineno", None)
            what = getattr(problem, "msg", None) or type(problem).__name__
            told = f"{what} (line {line} of the cell)" if line else what
            for name in known.intersection(_WRITTEN.findall(source)):
                answers[name] = Answer(name, number, problem=told)
            continue
        for node in body:
            if _is_exercise(node) and node.name in known:
                answers[node.name] = Answer(node.name, number, _needed(node, before))
            before.append(node)
    return answers


def _parsed(source: str) -> list[ast.stmt]:
    """The statements of a cell that can be looked at; magics are rewritten as IPython does."""
    if source.startswith("%%"):  # %%time and the like, above Python
        source = "\n" + source.partition("\n")[2]
    try:
        body = ast.parse(source).body
    except SyntaxError:
        from IPython.core.inputtransformer2 import TransformerManager

        body = ast.parse(TransformerManager().transform_cell(source)).body
    for node in body:
        _names(node)  # what is no sound Python shows here
    return body


def _needed(definition: ast.FunctionDef, before: Sequence[ast.stmt]) -> tuple[ast.stmt, ...]:
    """The statements above a definition that its names lead to, and the definition."""
    wanted = set(_names(definition)[1])
    kept: set[int] = set()
    while True:
        more = {
            i
            for i, node in enumerate(before)
            if i not in kept and (_names(node)[0] & wanted or _imports_all(node))
        }
        if not more:
            return (*(before[i] for i in sorted(kept)), definition)
        kept |= more
        wanted |= set().union(*(_names(before[i])[1] for i in more))


def _names(node: ast.stmt) -> tuple[frozenset[str], frozenset[str]]:
    """The names that a statement binds in the notebook, and those that it reads there."""
    if (found := getattr(node, "_names", None)) is None:
        top = symtable.symtable(ast.unparse(node), "cell", "exec")
        binds = {s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported()}
        reads = {s.get_name() for s in top.get_symbols() if s.is_referenced()}
        found = node._names = (frozenset(binds), frozenset(reads | _globals(top)))  # type: ignore[attr-defined]
    return found


def _globals(table: symtable.SymbolTable) -> set[str]:
    found: set[str] = set()
    for child in table.get_children():
        found |= {s.get_name() for s in child.get_symbols() if s.is_global()} | _globals(child)
    return found


def _imports(node: ast.stmt) -> bool:
    return isinstance(node, (ast.Import, ast.ImportFrom))


def _imports_all(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and (
        node.module == "__future__" or node.names[0].name == "*"
    )


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Attribute, ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _is_mark(decorator: ast.expr) -> bool:
    return ast.unparse(decorator) in ("exercise", "attnbook.exercise")


def _is_exercise(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    return isinstance(node, ast.FunctionDef) and any(map(_is_mark, node.decorator_list))


def _marked(node: ast.stmt, mark: str) -> ast.stmt:
    """A definition under ``mark`` in the place of ``@exercise``; all else as it is."""
    if not _is_exercise(node):
        return node
    marks = [
        ast.copy_location(ast.Name(mark, ast.Load()), old) if _is_mark(old) else old
        for old in node.decorator_list
    ]
    return ast.copy_location(
        type(node)(**{**dict(ast.iter_fields(node)), "decorator_list": marks}), node
    )
