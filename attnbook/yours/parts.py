"""The translator of chapter 10 on the learner's own parts: which answer stands in for what.

``use_yours()`` takes the answers out of the notebooks of chapters 1 to 9, checks each as its cell
does, and puts those that are right in the place of the library's own functions (``adapters``).
What is blank or wrong stays the book's. ``.restore()``, or leaving a ``with``, undoes it all; so
does the next ``use_yours()``, before it begins.

Why not an argument? The parts lie in every layer, from masks over the clipping to BLEU; an argument
for each would have to be handed through every constructor of the library that knows no learner.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from ..exercises.engine import find
from ..exercises.judge import BLANK, RIGHT, WRONG, judge
from ..exercises.show import STATE_COLORS, STATE_SYMBOLS
from ..grading.answers import find_answers, read_cells
from .adapters import PARTS, Adapter, Function, Part

#: The library's own functions that are replaced now: (class or None, name, the library's, yours).
_replaced: list[tuple[type | None, str, Function, Function]] = []


def restore() -> None:
    """Put the library's own functions back wherever a learner's stands."""
    while _replaced:
        owner, name, library, yours = _replaced.pop()
        _patch_everywhere(owner, name, yours, library)


class Yours:
    """Whose parts the translator runs on: shown as a table, undone by ``restore``."""

    def __init__(self, states: Mapping[str, str]) -> None:
        self.states = dict(states)

    def restore(self) -> None:
        """The book's own functions are back in place."""
        restore()

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
            f"{STATE_SYMBOLS[state]} {part.work:{width}}  {part.exercise} "
            f"(chapter {part.chapter}): {whose}"
            for part, state, whose in self._rows()
        )

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td style='color:{STATE_COLORS[state]}'>{STATE_SYMBOLS[state]}</td>"
            f"<td style='text-align:left'>{escape(part.work)}</td>"
            f"<td style='text-align:left'><code>{part.exercise}</code>, chapter {part.chapter}</td>"
            f"<td style='text-align:left'>{escape(whose)}</td></tr>"
            for part, state, whose in self._rows()
        )
        return f"<table>{rows}</table>"


def use_yours(folder: Path | str = ".") -> Yours:
    """Put the right answers in a folder's notebooks in the place of the library's functions.

    Arguments: folder, where the chapters 01 to 09 lie, solved or not. Returns what became of each
    part, for display. A notebook that is not there counts as blank. What an earlier call put in
    place is taken out first, so a cell that calls this can be run any number of times. Raises
    ValueError for a folder without any, or a notebook that cannot be read.
    """
    restore()  # because the references of other exercises call the library
    files = sorted(Path(folder).glob("0[1-9]*_*.ipynb"))
    notebooks = {path.name.partition("_")[0]: path for path in files}
    if not notebooks:
        raise ValueError(f"{folder} holds no chapter: name the folder with your notebooks 01 to 09")
    answers: dict[str, tuple[str, Function | None]] = {}
    for chapter in sorted({part.chapter for part in PARTS} & set(notebooks)):
        parts = [part for part in PARTS if part.chapter == chapter]
        answers |= _answers(notebooks[chapter], parts)
    for part in PARTS:  # all cells have been read
        _, yours = answers.get(part.exercise, (BLANK, None))
        if yours is not None:
            for target, adapt in part.targets.items():
                _patch(target, yours, adapt)
    return Yours({part.exercise: answers.get(part.exercise, (BLANK, None))[0] for part in PARTS})


def _answers(path: Path, parts: Sequence[Part]) -> dict[str, tuple[str, Function | None]]:
    """The verdict on the answer to each part's exercise, and the function where it is right.

    Of a notebook only the answers are run, and what these use.
    """
    answers = find_answers(read_cells(path))
    verdicts: dict[str, tuple[str, Function | None]] = {}
    for name in [part.exercise for part in parts if part.exercise in answers]:
        try:
            function = answers[name].define()
        except (Exception, SystemExit):  # its own cell says what is wrong
            verdicts[name] = (WRONG, None)
            continue
        verdict = judge(find(name), function)
        right = verdict.state == RIGHT
        verdicts[name] = (verdict.state, verdict.answer(function) if right else None)
    return verdicts


def _patch(target: str, yours: Function, adapt: Adapter) -> None:
    """Put a function in place of the one that a target names, like "attnlib.data:pad"."""
    library = resolve_name(target)
    path, dot, name = target.partition(":")[2].rpartition(".")
    owner = getattr(sys.modules[library.__module__], path) if dot else None
    adapted, running = adapt(yours, library), [False]

    def once(*args: Any, **kwargs: Any) -> Any:
        if running[0]:  # an answer that calls the library's own function means that one
            return library(*args, **kwargs)
        running[0] = True
        try:
            return adapted(*args, **kwargs)
        finally:
            running[0] = False

    after = functools.wraps(library)(once)
    _replaced.append((owner, name, library, after))
    _patch_everywhere(owner, name, library, after)


def _patch_everywhere(owner: type | None, name: str, before: Function, after: Function) -> None:
    """A method is its class's; a function may be known in any module, under whatever name."""
    if owner is not None:
        setattr(owner, name, after)
        return
    for module, known in list(sys.modules.items()):
        # attnbook, which checks answers, keeps the library's own functions.
        if module == "__main__" or re.fullmatch(r"attnlib(\.\w+)*", module):
            for word in [word for word, value in vars(known).items() if value is before]:
                setattr(known, word, after)
