"""A learner's answers, read out of a saved notebook without running the rest of it.

Of a notebook an answer takes along what it uses: the imports, functions and values of earlier
cells that its names lead to, and nothing else. So it means the same in any process, and no cell
that it does not use can help it or harm it.
"""

from __future__ import annotations

import ast
import re
import symtable
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .exercises.engine import find, names_by_chapter
from .handed_in import read_notebook
from .report import some
from .suspicion import suspicious

_DEFINED = re.compile(r"(?:async\s+)?def\s+(\w+)")
#: A line that is IPython's and not Python's: %magic, !command, help?, name = !command.
_MAGIC = re.compile(r"([\w, ]+=)\s*[%!]\S|[%!?]|[\w.*]+\?\??\s*$")
_RUN_HERE = ("time", "capture", "prun")  # cell magics below which Python of the notebook stands
_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
_MINE, _PLAIN, _BOOKS = "__mine__", "__plain__", "__the_books__"
_Function = (ast.FunctionDef, ast.AsyncFunctionDef)
_INSIDE = (ast.stmt, ast.excepthandler, ast.match_case)
_Definition = ast.FunctionDef | ast.AsyncFunctionDef


def read_cells(path: Path) -> list[str]:
    """The sources of a notebook's code cells. Raises ValueError where it is none."""
    return read_notebook(path).codes


@dataclass(frozen=True)
class Answer:
    """Where a notebook answers an exercise, and what of the notebook the answer needs."""

    name: str
    cell: int  # among the code cells
    needs: tuple[ast.stmt, ...] = ()  # the definition is the last, or stands in it
    definition: _Definition | None = None
    problem: str = ""  # why there is no definition

    def define(self) -> Callable[..., Any]:
        """The learner's function. Raises whatever its definition raises."""
        if self.problem or self.definition is None:
            raise SyntaxError(self.problem)
        root = _dotted(_mark(self.definition)).partition(".")[0]
        if not any(root in _names(node)[0] or _is_star(node) for node in self.needs):
            raise NameError(f"name {root!r} is not defined; is the set-up cell missing?")
        found = []

        def mine(function: Callable[..., Any]) -> Callable[..., Any]:
            found.append(function)
            return function

        names = {
            "__name__": "answers",
            _MINE: mine,
            _PLAIN: lambda function: function,  # an earlier answer to the same exercise
            _BOOKS: _the_books,
        }
        exec(self._compiled(), names)
        if not found:
            raise NameError(f"{self.name} is never defined: the lines around it are not reached")
        return found[-1]

    def _compiled(self) -> Any:
        """The code of the answer, with what each definition means in the place of its mark."""
        marked = [node for statement in self.needs for node in _marked(statement)]
        before = [node.decorator_list for node in marked]
        try:
            for node in marked:
                word = _PLAIN if node.name == self.name else _BOOKS
                new = ast.Name(_MINE if node is self.definition else word, ast.Load())
                node.decorator_list = [
                    ast.copy_location(new, old) if old is _mark(node) else old
                    for old in node.decorator_list
                ]
            return compile(ast.Module([*self.needs], []), f"<the answer {self.name}>", "exec")
        finally:  # other answers need the same statements
            for node, old in zip(marked, before):
                node.decorator_list = old

    def suspicious(self) -> list[str]:
        """What the answer uses although no answer needs it; a teacher reads it first."""
        return suspicious(self.needs)


def _the_books(function: Callable[..., Any]) -> Callable[..., Any]:
    """What another answer means to this one: never wrong."""
    try:
        return find(function.__name__).reference
    except ValueError:  # no exercise of the book
        return function


def find_answers(cells: Sequence[str]) -> dict[str, Answer]:
    """The last answer to each exercise that a notebook's code cells hold."""
    return Reading(cells).answers


@dataclass
class Reading:
    """A notebook that is read: its answers, and what a teacher should know of where they stand."""

    codes: Sequence[str]
    texts: Sequence[str] = ()
    answers: dict[str, Answer] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._known = {name for names in names_by_chapter().values() for name in names}
        self._marks = {"exercise", "attnbook.exercise"}
        self._before: list[ast.stmt] = []
        self._binding: dict[str, list[int]] = defaultdict(list)  # name → which of these bind it
        self._places: dict[str, list[int]] = defaultdict(list)  # exercise → cells that define it
        self._unmarked: list[str] = []
        self._last: dict[str, tuple[_Definition, ast.stmt, int]] = {}
        for number, source in enumerate(self.codes):
            self._read_cell(number, source)
        for text in self.texts:
            self._not_judged(_written(text, self._marks), "stands in a cell of text")
        begun = [names for names in names_by_chapter().values() if self._places.keys() & set(names)]
        for name in self._unmarked:  # chapters define what was an exercise of an earlier one
            if not begun or any(name in names for names in begun):
                self._not_judged([name], "is defined without @exercise above it")
        for name, (definition, statement, before) in self._last.items():
            needs = (*self._needed(statement, before), statement)
            self.answers[name] = Answer(name, self._places[name][-1], needs, definition)
        for name, cells in self._places.items():
            if len(cells) > 1:
                told = some((str(number + 1) for number in cells), len(cells))
                self.notes.append(f"{name} is answered {len(cells)} times, in the code cells "
                                  f"{told}: the last one counts")  # fmt: skip

    def _read_cell(self, number: int, source: str) -> None:
        magic = re.match(r"\s*%%(\w*)[^\n]*", source)
        if magic and magic[1] not in _RUN_HERE:
            self._not_judged(_written(source, self._marks), f"stands under %%{magic[1]}")
            return
        try:
            start = magic.end() if magic else 0
            body = _parsed("\n" * source.count("\n", 0, start) + source[start:])
        except _UNREADABLE as problem:
            line = getattr(problem, "lineno", None)
            what = getattr(problem, "msg", None) or type(problem).__name__
            told = f"{what} (line {line} of the cell)" if line else what
            for name in self._known.intersection(_written(source, self._marks)):
                self._places[name].append(number)
                self._last.pop(name, None)
                self.answers[name] = Answer(name, number, problem=told)
            return
        for node in body:
            self._read_statement(number, node)

    def _read_statement(self, number: int, node: ast.stmt) -> None:
        for definition in ast.walk(node):
            if isinstance(definition, _Function):
                self._note_mark(definition)
        for definition, where in _definitions(node):
            name = definition.name
            if name not in self._known:
                continue
            if not hasattr(definition, "_mark"):
                if definition is node:
                    self._unmarked.append(name)
                continue
            if where in ("class", "def"):
                self._not_judged([name], f"stands inside a {where}")
                continue
            if where:
                self.notes.append(f"{name} stands under {where}: it was judged with what is there")
            mark = _dotted(_mark(definition))
            if "." not in mark and mark != "exercise":
                self.notes.append(f"{name} is marked @{mark}, which is @exercise here")
            self._places[name].append(number)
            self._last[name] = (definition, node, len(self._before))
        self._note_call(node)
        self._note_alias(node)
        for name in _names(node)[0]:
            self._binding[name].append(len(self._before))
        self._before.append(node)

    def _not_judged(self, names: Sequence[str], how: str) -> None:
        for name in dict.fromkeys(names):
            if name in self._known:
                self.notes.append(f"{name} {how}: that one was not judged")

    def _note_mark(self, definition: _Definition) -> None:
        for decorator in definition.decorator_list:
            if _dotted(decorator) in self._marks:
                definition._mark = decorator  # type: ignore[union-attr]

    def _note_call(self, node: ast.stmt) -> None:
        """``shares = exercise(shares)``."""
        call = getattr(node, "value", None)
        if isinstance(call, ast.Call) and _dotted(call.func) in self._marks:
            names = [given.id for given in call.args if isinstance(given, ast.Name)]
            self._not_judged(names, "is handed to exercise() and not marked with it")

    def _note_alias(self, node: ast.stmt) -> None:
        """Other names of the decorator."""
        if isinstance(node, ast.Import):
            names = {alias.asname: alias.name for alias in node.names if alias.asname}
            self._marks |= {f"{name}.exercise" for name in names if names[name] == "attnbook"}
        elif isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith("attnbook."):
            for alias in node.names:
                if alias.name == "exercise" and alias.asname:
                    self._marks.add(alias.asname)
        elif isinstance(node, ast.Assign) and _dotted(node.value) in self._marks:
            self._marks |= {target.id for target in node.targets if isinstance(target, ast.Name)}
            node._mark = node.value  # type: ignore[attr-defined]

    def _needed(self, statement: ast.stmt, before: int) -> list[ast.stmt]:
        """Those of the first statements that a statement's names lead to."""
        kept = {i for i in range(before) if _imports_all(self._before[i])}
        names = list(_names(statement)[1])
        names += [name for i in kept for name in _names(self._before[i])[1]]
        seen = set(names)
        while names:
            for i in self._binding.get(names.pop(), ()):
                if i < before and i not in kept:
                    kept.add(i)
                    more = _names(self._before[i])[1] - seen
                    names += more
                    seen |= more
        return [self._before[i] for i in sorted(kept)]


def _written(source: str, marks: set[str]) -> list[str]:
    """The names of marked functions in a text that is not to be parsed."""
    found, marked = [], False
    for line in source.split("\n"):
        line = line.strip()
        if line.startswith("@"):
            marked |= line[1:].partition("(")[0].strip() in marks
        elif match := _DEFINED.match(line):
            found += [match[1]] if marked else []
            marked = False
    return found


def _parsed(source: str) -> list[ast.stmt]:
    """The statements of a cell that can be looked at, each with one import at most."""
    try:
        body = ast.parse(source).body
    except SyntaxError:
        body = ast.parse(_without_magics(source)).body
    body = [one for node in body for one in _apart(node)]
    for node in body:
        _names(node)  # what is no sound Python shows here
    return body


def _without_magics(source: str) -> str:
    """A cell in whose magics nothing is done; no answer is judged by what they do.

    >>> _without_magics("%matplotlib inline\\nfiles = !ls\\nx = 7 % 2")
    'pass\\nfiles = None\\nx = 7 % 2'
    """
    from IPython.core.inputtransformer2 import classic_prompt, ipython_prompt, leading_indent

    lines = source.splitlines(keepends=True)
    for mend in (leading_indent, classic_prompt, ipython_prompt):  # what was pasted
        lines = mend(lines)
    lines = "".join(lines).split("\n")
    goes_on = False
    for number, line in enumerate(lines):
        if goes_on:  # a command of several lines
            lines[number] = ""
        elif match := _MAGIC.match(line.lstrip()):
            indent = line[: len(line) - len(line.lstrip())]
            lines[number] = indent + (f"{match[1]} None" if match[1] else "pass")
        else:
            continue
        goes_on = line.endswith("\\")
    return "\n".join(lines)


def _apart(node: ast.stmt) -> list[ast.stmt]:
    """An import of several names as several imports: an answer uses one and not the other."""
    if not isinstance(node, (ast.Import, ast.ImportFrom)) or len(node.names) == 1:
        return [node]
    parts = [{**dict(ast.iter_fields(node)), "names": [name]} for name in node.names]
    return [ast.copy_location(type(node)(**part), node) for part in parts]


def _definitions(node: ast.stmt) -> Iterator[tuple[_Definition, str]]:
    """The functions that a statement defines, and the word under which they stand, if any."""
    waiting: list[tuple[ast.AST, str]] = [(node, "")]
    while waiting:
        found, where = waiting.pop()
        if isinstance(found, _Function):
            yield found, where
        if isinstance(found, (*_Function, ast.ClassDef)):
            where = "class" if isinstance(found, ast.ClassDef) else "def"
        elif isinstance(found, ast.stmt) and where not in ("class", "def"):
            where = type(found).__name__.lower()  # if, try, with ...
        inner = [one for one in ast.iter_child_nodes(found) if isinstance(one, _INSIDE)]
        waiting += [(one, where) for one in reversed(inner)]


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


def _imports_all(node: ast.stmt) -> bool:
    future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
    return future or _is_star(node)


def _is_star(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.names[0].name == "*"


def _dotted(node: ast.AST) -> str:
    """``a.b`` where a node is that; empty else."""
    words = []
    while isinstance(node, ast.Attribute):
        words.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(words)]) if isinstance(node, ast.Name) else ""


def _mark(definition: _Definition) -> ast.expr:
    """The decorator that makes a definition an answer."""
    mark: ast.expr = definition._mark  # type: ignore[union-attr]
    return mark


def _marked(node: ast.stmt) -> list[_Definition]:
    return [
        inner
        for inner in ast.walk(node)
        if isinstance(inner, _Function) and hasattr(inner, "_mark")
    ]
