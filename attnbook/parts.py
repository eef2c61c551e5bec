"""The translator of chapter 10 on the learner's own parts: which answer stands in for what.

``use_yours()`` takes the answers out of the notebooks of chapters 1 to 9, checks each as its cell
does, and puts those that are right in the place of the library's own functions (``adapters``).
What is blank or wrong stays the book's. ``.restore()``, or leaving a ``with``, undoes it all.
"""

from __future__ import annotations

import ast
import functools
import importlib
import re
import sys
from collections.abc import Mapping, Sequence
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import nbformat

from .adapters import PARTS, Adapter, Function, Part
from .exercises.engine import find
from .exercises.judge import BLANK, RIGHT, WRONG, judge
from .exercises.show import COLOUR, MARK

_LIBRARY = "attnlib"


class Yours:
    """Whose parts the translator runs on: shown as a table, undone by ``restore``."""

    def __init__(self, states: Mapping[str, str], undo: Sequence[tuple[Any, str, Any]]) -> None:
        self.states, self._undo = dict(states), list(undo)

    def restore(self) -> None:
        """The book's own functions are back in place."""
        while self._undo:
            owner, name, before = self._undo.pop()
            setattr(owner, name, before)

    def __enter__(self) -> Yours:
        return self

    def __exit__(self, *error: object) -> None:
        self.restore()

    def _rows(self) -> list[tuple[Part, str, str]]:
        says = {RIGHT: "yours", WRONG: "the book's: yours is not right yet"}
        states = [(part, self.states[part.exercise]) for part in PARTS]
        return [(part, state, says.get(state, "the book's")) for part, state in states]

    def __repr__(self) -> str:
        width = max(len(part.work) for part in PARTS)
        return "\n".join(
            f"{MARK[state]} {part.work:{width}}  {part.exercise} (chapter {part.chapter}): {whose}"
            for part, state, whose in self._rows()
        )

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td style='color:{COLOUR[state]}'>{MARK[state]}</td>"
            f"<td style='text-align:left'>{escape(part.work)}</td>"
            f"<td style='text-align:left'><code>{part.exercise}</code>, chapter {part.chapter}</td>"
            f"<td style='text-align:left'>{escape(whose)}</td></tr>"
            for part, state, whose in self._rows()
        )
        return f"<table>{rows}</table>"


def use_yours(folder: Path | str = ".") -> Yours:
    """Put the right answers in a folder's notebooks in the place of the library's functions.

    Arguments: folder, where the chapters 01 to 09 lie, solved or not. Returns what became of each
    part, for display. A notebook that is not there counts as blank. Raises ValueError for a folder
    without any, or a notebook that cannot be read.
    """
    notebooks = {path.name[:2]: path for path in sorted(Path(folder).glob("0[1-9]_*.ipynb"))}
    if not notebooks:
        raise ValueError(f"{folder} holds no chapter: name the folder with your notebooks 01 to 09")
    states, undo = {}, []
    for chapter in sorted({part.chapter for part in PARTS}):
        parts = [part for part in PARTS if part.chapter == chapter]
        answers = _answers(notebooks[chapter], parts) if chapter in notebooks else {}
        for part in parts:
            states[part.exercise], yours = answers.get(part.exercise, (BLANK, None))
            if yours is not None:
                for target, adapt in part.targets.items():
                    undo += _replace(target, yours, adapt)
    return Yours(states, undo)


def _answers(path: Path, parts: Sequence[Part]) -> dict[str, tuple[str, Function | None]]:
    """The verdict on the answer to each part's exercise, and the function where it is right.

    Of a notebook only the imports of the set-up cell and the exercises are run.
    """
    try:
        cells = nbformat.read(path, as_version=4).cells
    except Exception as problem:
        raise ValueError(f"{path} cannot be read as a notebook: {problem}") from problem
    wanted, found = {part.exercise for part in parts}, {}

    def exercise(function: Function) -> Function:
        name = function.__name__
        if name not in wanted:
            return find(name).reference  # never wrong, and others may call it
        verdict = judge(find(name), function)
        found[name] = (verdict.state, function if verdict.state == RIGHT else None)
        return function if verdict.state == RIGHT else find(name).reference

    names: dict[str, Any] = {"__name__": "answers"}
    for cell in cells:
        tags = cell.metadata.get("tags", ())
        if cell.cell_type == "code" and {"setup", "exercise"} & set(tags):
            try:
                exec(_runnable(cell.source, "setup" in tags, str(path)), names)
            except (
                Exception,
                SystemExit,
            ):  # this cell's answers stay blank: their own cell says what is wrong
                continue
            finally:
                names["exercise"] = exercise
    return found


def _runnable(source: str, imports_only: bool, name: str) -> Any:
    tree = ast.parse(source)
    if imports_only:
        tree.body = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    return compile(tree, name, "exec")


def _is_module(parts: Sequence[str]) -> bool:
    try:
        return find_spec(".".join([_LIBRARY, *parts])) is not None
    except ModuleNotFoundError:
        return False


def _replace(target: str, yours: Function, adapt: Adapter) -> list[tuple[Any, str, Any]]:
    """Put a function in place wherever the old one is known; returns what was there before."""
    parts = target.split(".")
    cut = next(n for n in range(len(parts), 0, -1) if _is_module(parts[:n]))
    module, path = ".".join(parts[:cut]), parts[cut:]
    home = importlib.import_module(f"{_LIBRARY}.{module}")
    owner = functools.reduce(getattr, path[:-1], home)
    before = getattr(owner, path[-1])
    after = functools.wraps(before)(adapt(yours, before))
    places = [(owner, path[-1])]
    if owner is home:  # a function may be known in other modules too, under whatever name
        for name, known in list(sys.modules.items()):
            # What checks an answer (attnbook) stays the book's.
            if name == "__main__" or re.fullmatch(rf"{_LIBRARY}(\.\w+)*", name):
                places += [(known, n) for n, value in vars(known).items() if value is before]
    for place, name in places:
        setattr(place, name, after)
    return [(place, name, before) for place, name in places]
