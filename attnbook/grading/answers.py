"""A learner's answers, read out of a saved notebook without running the rest of it.

Of a notebook an answer takes along what it uses: the imports, functions and values of earlier
cells that its names lead to, and nothing else. So it means the same in any process, and no cell
that it does not use can help it or harm it.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..exercises.engine import find, names_by_chapter
from .handed_in import read_notebook
from .report import list_names
from .statements import (
    Definition,
    definitions,
    dotted,
    imports_all,
    is_star,
    marked_names,
    names_of,
    parse_cell,
)
from .suspicion import ready, suspicious

_RUN_HERE = ("time", "capture", "prun")  # cell magics below which Python of the notebook stands
_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
_MARKS = {"exercise", "attnbook.exercise"}  # the decorator, by the names that chapters give it
_MINE, _PLAIN, _BOOKS = "__mine__", "__plain__", "__the_books__"


def read_cells(path: Path) -> list[str]:
    """The sources of a notebook's code cells. Raises ValueError where it is none."""
    return read_notebook(path).codes


@dataclass(frozen=True)
class Answer:
    """Where a notebook answers an exercise, and what of the notebook the answer needs."""

    name: str
    cell: int  # among the code cells
    # The statements it needs; the last is, or contains, the definition.
    needs: tuple[ast.stmt, ...] = ()
    definition: Definition | None = None
    problem: str = ""  # why there is no definition

    def define(self) -> Callable[..., Any]:
        """The learner's function. Raises whatever its definition raises."""
        if self.problem or self.definition is None:
            raise SyntaxError(self.problem)
        root = dotted(_exercise_decorator(self.definition)).partition(".")[0]
        if not any(root in names_of(node)[0] or is_star(node) for node in self.needs):
            raise NameError(f"name {root!r} is not defined; is the setup cell missing?")
        functions = []

        def capture(function: Callable[..., Any]) -> Callable[..., Any]:
            functions.append(function)
            return function

        names = {
            "__name__": "__main__",  # as in Jupyter
            _MINE: capture,
            # Replaces @exercise for an earlier answer to the same exercise.
            _PLAIN: lambda function: function,
            _BOOKS: _the_books,
        }
        exec(self._compiled(), names)
        if not functions:
            raise NameError(f"{self.name} is never defined: the lines around it are not reached")
        return functions[-1]

    def _compiled(self) -> Any:
        """The code of the answer, with what each definition means in the place of its mark."""
        marked = [node for statement in self.needs for node in _marked(statement)]
        before = [node.decorator_list for node in marked]
        try:
            for node in marked:
                word = _PLAIN if node.name == self.name else _BOOKS
                new = ast.Name(_MINE if node is self.definition else word, ast.Load())
                node.decorator_list = [
                    ast.copy_location(new, old) if old is _exercise_decorator(node) else old
                    for old in node.decorator_list
                ]
            return compile(ast.Module([*self.needs], []), f"<the answer {self.name}>", "exec")
        finally:  # restored, because other answers need the same statements
            for node, old in zip(marked, before):
                node.decorator_list = old

    def suspicious(self) -> list[str]:
        """What the answer uses although no answer needs it; a teacher reads it first."""
        return suspicious(self.needs)

    def ready(self) -> list[str]:
        """What the answer uses of a library, and the book's own does not: it may be the answer."""
        return ready(self.needs, find(self.name).reference)


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
        self._before: list[ast.stmt] = []
        self._binding: dict[str, list[int]] = defaultdict(list)  # name → which of these bind it
        self._places: dict[str, list[int]] = defaultdict(list)  # exercise → cells that define it
        self._unmarked: list[str] = []
        self._last: dict[str, tuple[Definition, ast.stmt, int]] = {}
        for number, source in enumerate(self.codes):
            self._read_cell(number, source)
        for text in self.texts:
            self._not_judged(marked_names(text, _MARKS), "is in a cell of text")
        begun = [names for names in names_by_chapter().values() if self._places.keys() & set(names)]
        # Chapters define functions that were exercises of an earlier one.
        for name in self._unmarked:
            if not begun or any(name in names for names in begun):
                self._not_judged([name], "is defined without @exercise above it")
        for name, (definition, statement, before) in self._last.items():
            needs = (*self._needed(statement, before), statement)
            self.answers[name] = Answer(name, self._places[name][-1], needs, definition)
        for name, cells in self._places.items():
            if len(cells) > 1:
                numbers = list_names((str(number + 1) for number in cells), len(cells))
                places = f"{len(cells)} times, in the code cells {numbers}"
                self.notes.append(f"{name} is answered {places}: the last one counts")
        self.notes = list(dict.fromkeys(self.notes))

    def _read_cell(self, number: int, source: str) -> None:
        magic = re.match(r"\s*%%(\w*)[^\n]*", source)
        if magic and magic[1] not in _RUN_HERE:
            self._not_judged(marked_names(source, _MARKS), f"is under %%{magic[1]}")
            return
        try:
            start = magic.end() if magic else 0
            body = parse_cell("\n" * source.count("\n", 0, start) + source[start:])
        except _UNREADABLE as error:
            line = getattr(error, "lineno", None)
            reason = getattr(error, "msg", None) or type(error).__name__
            message = f"{reason} (line {line} of the cell)" if line else reason
            for name in self._known.intersection(marked_names(source, _MARKS)):
                self._places[name].append(number)
                self._last.pop(name, None)
                self.answers[name] = Answer(name, number, problem=message)
            return
        for node in body:
            self._read_statement(number, node)

    def _read_statement(self, number: int, node: ast.stmt) -> None:
        for inner in ast.walk(node):
            if isinstance(inner, Definition):
                self._note_mark(inner)
        for definition, where in definitions(node):
            name = definition.name
            if name not in self._known:
                if hasattr(definition, "_mark") and where not in ("class", "def"):
                    self.notes.append(f"{_unknown_message(name)}: that one was not judged")
                continue
            if not hasattr(definition, "_mark"):
                if definition is node:
                    self._unmarked.append(name)
                continue
            if where in ("class", "def"):
                self._not_judged([name], f"is inside a {where}")
                continue
            if where:
                self.notes.append(f"{name} is under {where}: it was judged with what is there")
            self._places[name].append(number)
            self._last[name] = (definition, node, len(self._before))
        self._note_call(node)
        for name in names_of(node)[0]:
            self._binding[name].append(len(self._before))
        self._before.append(node)

    def _not_judged(self, names: Sequence[str], reason: str) -> None:
        for name in dict.fromkeys(names):
            if name in self._known:
                self.notes.append(f"{name} {reason}: that one was not judged")

    def _note_mark(self, definition: Definition) -> None:
        for decorator in definition.decorator_list:
            if dotted(decorator) in _MARKS:
                definition._mark = decorator  # type: ignore[union-attr]

    def _note_call(self, node: ast.stmt) -> None:
        """``shares = exercise(shares)``."""
        call = getattr(node, "value", None)
        if isinstance(call, ast.Call) and dotted(call.func) in _MARKS:
            names = [argument.id for argument in call.args if isinstance(argument, ast.Name)]
            self._not_judged(names, "is passed to exercise() instead of marked with it")

    def _needed(self, statement: ast.stmt, before: int) -> list[ast.stmt]:
        """Those of the first statements that a statement's names lead to."""
        needed = {i for i in range(before) if imports_all(self._before[i])}
        names = list(names_of(statement)[1])
        names += [name for i in needed for name in names_of(self._before[i])[1]]
        seen = set(names)
        while names:
            for i in self._binding.get(names.pop(), ()):
                if i < before and i not in needed:
                    needed.add(i)
                    more = names_of(self._before[i])[1] - seen
                    names += more
                    seen |= more
        return [self._before[i] for i in sorted(needed)]


def _exercise_decorator(definition: Definition) -> ast.expr:
    """The decorator that makes a definition an answer."""
    mark: ast.expr = definition._mark  # type: ignore[union-attr]
    return mark


def _unknown_message(name: str) -> str:
    """What the engine says to a name that is no exercise's."""
    try:
        return find(name).name
    except ValueError as problem:
        return str(problem).rstrip(".")


def _marked(node: ast.stmt) -> list[Definition]:
    return [
        inner
        for inner in ast.walk(node)
        if isinstance(inner, Definition) and hasattr(inner, "_mark")
    ]
