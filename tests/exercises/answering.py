"""Answers to exercises as learners write them: the files under ``answers/``, one an exercise.

@wrong("which side of W")           # a part of the diagnosis that is meant for it
def general_score(query, keys, weight):
    return query @ weight.T @ keys.transpose(1, 2)

@right                              # in another style than the book's
def general_score(query, keys, weight):
    return torch.einsum("btd,de,bse->bts", query, weight, keys)
"""

import importlib.util
import inspect
import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import torch

from attnbook.exercises import Exercise
from attnbook.exercises.engine import all_exercises, find

ANSWERS = Path(__file__).parent / "answers"
STRANGERS = Path(__file__).parent / "strangers"
Function = Callable[..., Any]

#: Every exercise of the book.
EXERCISES = [check for chapter in all_exercises().values() for check in chapter.values()]


class Answer(NamedTuple):
    """A learner's function and what it is to be told; None where it is right."""

    exercise: str
    function: Function
    diagnosis: str | None


_noted: list[Answer] = []


def wrong(diagnosis: str) -> Callable[[Function], Function]:
    """Under this stands a wrong answer, whose diagnosis must contain the given words."""

    def note(function: Function) -> Function:
        _noted.append(Answer(function.__name__, function, diagnosis))
        return function

    return note


def right(function: Function) -> Function:
    """Under this stands a right answer in another style than the book's."""
    _noted.append(Answer(function.__name__, function, None))
    return function


def _load(files: Iterable[Path]) -> tuple[Answer, ...]:
    """What the files note, in their order."""
    before = len(_noted)
    for path in files:
        spec = importlib.util.spec_from_file_location(f"answers_{path.stem}", path)
        assert spec and spec.loader
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    return tuple(_noted[before:])


@cache
def all_answers() -> tuple[Answer, ...]:
    """Every answer of every file under ``answers/``, in the order of the files."""
    return _load(sorted(ANSWERS.glob("ch*/*.py")))


@cache
def strangers() -> tuple[Answer, ...]:
    """Every answer under ``strangers/``: written from the statements alone, before anybody looked
    at the checks. Their words say what is wrong with them, not what the learner is to hear."""
    return _load(sorted(STRANGERS.glob("*/ch*/*.py")))


def quick(name: str) -> Exercise:
    """An exercise that waits less long for a loop without end; no other answer takes a second."""
    return replace(find(name), seconds=4.0)


def written(code: str, **names: object) -> Function:
    """The function that a learner's code defines, in a notebook that has imported torch."""
    space = {"torch": torch, "math": math, **names}
    exec(compile(code, "<cell>", "exec"), space)
    return next(value for key, value in reversed(space.items()) if inspect.isfunction(value))
