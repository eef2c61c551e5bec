"""Answers to exercises: those written without seeing the checks, and those of the checks' authors.

The first are the lines of ``blind/answers.jsonl``; ``blind/README.md`` describes them. The second
are there for what none of these shows, in the files under ``answers/``, one an exercise:

@wrong("which side of W")           # a part of the diagnosis that is meant for it
def general_score(query, keys, weight):
    return query @ weight.T @ keys.transpose(1, 2)

@right                              # in another style than the book's
def general_score(query, keys, weight):
    return torch.einsum("btd,de,bse->bts", query, weight, keys)
"""

import importlib.util
import inspect
import json
import linecache
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import nbformat
import pytest
import torch

from attnbook.exercises import Exercise
from attnbook.exercises.engine import all_exercises, find

ANSWERS = Path(__file__).parent / "answers"
BLIND = Path(__file__).parent / "blind" / "answers.jsonl"
Function = Callable[..., Any]
#: What a notebook begins with, and the exercise ``shares`` of chapter 00 in each state.
SETUP = "import torch\nfrom attnbook import exercise"
SHARES = {
    "right": "@exercise\ndef shares(amounts):\n    return amounts / amounts.sum()",
    "wrong": "@exercise\ndef shares(amounts):\n    return amounts / amounts.max()",
    "not attempted": "@exercise\ndef shares(amounts):\n    raise NotImplementedError",
}

#: Every exercise of the book.
EXERCISES = [check for chapter in all_exercises().values() for check in chapter.values()]


class Answer(NamedTuple):
    """A learner's function and a part of its diagnosis; None where it is right."""

    exercise: str
    function: Function
    says: str | None

    @property
    def right(self) -> bool:
        return self.says is None

    @property
    def why(self) -> str | None:
        return self.says

    @property
    def key(self) -> str:
        """A name for it, which stays the same as long as its code does."""
        return _key(self.exercise, "answers", inspect.getsource(self.function))


class BlindAnswer(NamedTuple):
    """A line of ``blind/answers.jsonl``: code that runs alone, as a cell of a notebook does."""

    exercise: str
    set: str  # "first" to "ninth"; "contributed" where it came with its exercise
    right: bool
    why: str | None  # what is wrong with it; of a right one, why it is right where that is in doubt
    source: str
    says: str | None = None  # of some: a part of the diagnosis that is meant for it

    @property
    def key(self) -> str:
        """A name for it, which stays the same as long as its code does."""
        return _key(self.exercise, self.set, self.source)

    @property
    def function(self) -> Function:
        """The function that the code defines, made anew each time."""
        name, space = f"<{self.key}>", {"__name__": "__main__"}
        linecache.cache[name] = (0, None, self.source.splitlines(keepends=True), name)
        exec(compile(self.source, name, "exec"), space)
        return space[self.exercise]


def _key(exercise: str, group: str, source: str) -> str:
    return f"{exercise}, {group}, {crc32(source.encode()):08x}"


_noted: list[Answer] = []


def wrong(diagnosis: str) -> Callable[[Function], Function]:
    """Mark a wrong answer, whose diagnosis must contain the given words."""

    def note(function: Function) -> Function:
        _noted.append(Answer(function.__name__, function, diagnosis))
        return function

    return note


def right(function: Function) -> Function:
    """Mark a right answer in another style than the book's."""
    _noted.append(Answer(function.__name__, function, None))
    return function


@cache
def all_answers() -> tuple[Answer, ...]:
    """Every answer of every file under ``answers/``, in the order of the files."""
    for path in sorted(ANSWERS.glob("ch*/*.py")):
        spec = importlib.util.spec_from_file_location(f"answers_{path.stem}", path)
        assert spec and spec.loader
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    return tuple(_noted)


def blind_answers() -> Iterator[BlindAnswer]:
    """Every answer of ``blind/answers.jsonl``, in its order."""
    with BLIND.open(encoding="utf-8") as lines:
        for line in lines:
            yield BlindAnswer(**json.loads(line))


def file_of_answers(check: Exercise) -> str:
    """Where the authors' answers to an exercise are, or go."""
    chapter = check.reference.__module__.split(".")[-2]
    return f"tests/exercises/answers/{chapter}/{check.name}.py"


def quick(name: str) -> Exercise:
    """An exercise that waits less long for a loop without end; no other answer takes a second."""
    return replace(find(name), seconds=4.0)


def sampled(cases: Sequence[Exercise | Answer | BlindAnswer], every: int = 8) -> list[Any]:
    """Exercises or answers as parameters of a test: some, and all of them where it is thorough."""
    return [
        pytest.param(
            case,
            id=case.name if isinstance(case, Exercise) else case.exercise,
            marks=[pytest.mark.thorough] * bool(number % every),
        )
        for number, case in enumerate(cases)
    ]


def written(code: str, **names: object) -> Function:
    """The function that a learner's code defines, in a notebook that has imported torch."""
    space = {"torch": torch, "math": math, **names}
    exec(compile(code, "<cell>", "exec"), space)
    return next(value for key, value in reversed(space.items()) if inspect.isfunction(value))


def notebook(path: Path, *cells: str) -> Path:
    """A notebook with a title and these cells of code, as someone hands it in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = [nbformat.v4.new_code_cell(source, id=f"c{n}") for n, source in enumerate(cells)]
    title = nbformat.v4.new_markdown_cell("# Mine", id="title")
    nbformat.write(nbformat.v4.new_notebook(cells=[title, *made]), path)
    return path
