"""The decorator ``@exercise``, the verdicts of this session, and strict mode."""

from __future__ import annotations

import ast
import contextlib
import difflib
import json
import os
import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from attnbook.progress_file import save_progress
from attnbook.registry import registered

from .judge import BLANK, RIGHT, WRONG, Verdict, judge
from .show import Feedback
from .spec import Exercise
from .values import deep_copy

#: Names of environment variables: strict mode, and the file in which ``grade`` collects verdicts.
STRICT, RECORD = "ATTNLIB_STRICT", "ATTNLIB_RECORD"

#: What became of each exercise in this session.
verdicts: dict[str, Verdict] = {}


class ExerciseError(AssertionError):
    """In strict mode: an exercise is blank or wrong."""


def names_by_chapter() -> dict[str, dict[str, int]]:
    """The exercises of each chapter ("05") in its order, with the minutes that each takes."""
    return registered().names_by_chapter()


def _load(chapter: str, name: str) -> Exercise:
    check: Exercise = registered().load(chapter, name)
    return check


@cache
def all_exercises() -> dict[str, dict[str, Exercise]]:
    """Every exercise of the book: chapter ("05") → name → exercise, in the order of the chapter."""
    return {
        chapter: {name: _load(chapter, name) for name in names}
        for chapter, names in names_by_chapter().items()
    }


def _chapter_of() -> dict[str, str]:
    """The chapter of every exercise."""
    return {name: chapter for chapter, names in names_by_chapter().items() for name in names}


def find(name: str) -> Exercise:
    """The exercise of a name. Raises ValueError, with the nearest name, where there is none."""
    chapters = _chapter_of()
    if name in chapters:
        return _load(chapters[name], name)
    plain = {known.replace("_", ""): known for known in chapters}  # GreedyDecode is greedy_decode
    close = difflib.get_close_matches(str(name).replace("_", "").lower(), plain, n=1)
    nearest = plain[close[0]] if close else None
    chapter = chapters[nearest] if nearest else next(iter(_chapters_of_now()), None)
    message = f"No exercise is called {name!r}"
    message += f": did you mean {nearest!r}?" if nearest else "."
    if chapter:
        message += f" Those of chapter {chapter} are {', '.join(names_by_chapter()[chapter])}."
    raise ValueError(message)


def _chapters_of_now() -> dict[str, None]:
    """The chapters of this session's exercises, the last first."""
    chapters = _chapter_of()
    return {chapters[name]: None for name in reversed(verdicts) if name in chapters}


class ExerciseDecorator:
    """``@exercise``: check a learner's function, show the verdict, and give back one that works.

    That is the learner's own where it is right and the reference where it is not. Raises nothing,
    unless in strict mode, and then ExerciseError for a blank or a wrong answer.

    ``exercise.mine(**exercise.failing)`` calls the last function that was refused on the input of
    its verdict.
    """

    def __init__(self) -> None:
        self._mine: Callable[..., Any] | None = None
        self._failing: Mapping[str, Any] = {}

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        name = getattr(function, "__name__", "?")
        try:
            check = find(name)
        except ValueError as error:
            rule = "its name is that of an exercise"
            verdict = Verdict(name, WRONG, rule, diagnosis=str(error), replaced=False)
            return _record_verdict(verdict, function)
        verdict = judge(check, function)
        if verdict.failing:
            self._mine, self._failing = function, verdict.failing
        right = verdict.state == RIGHT
        return _record_verdict(verdict, verdict.answer(function) if right else check.reference)

    @property
    def mine(self) -> Callable[..., Any]:
        """The last function that was refused. Raises LookupError where none was."""
        if self._mine is None:
            raise LookupError("no answer has been refused in this session")
        return self._mine

    @property
    def failing(self) -> dict[str, Any]:
        """Copies of the arguments on which it was, by name; empty where none was."""
        return deep_copy(dict(self._failing))


exercise = ExerciseDecorator()


def must_pass(name: str) -> None:
    """Raise ExerciseError unless this session's last answer to an exercise is right.

    For a cell below an exercise that gives points, as nbgrader's do.
    """
    find(name)  # raises for a name that does not exist
    verdict = verdicts.get(name) or Verdict(name, BLANK)
    if verdict.state != RIGHT:
        raise ExerciseError(_failure_message(verdict))


def _failure_message(verdict: Verdict) -> str:
    reason = f": {verdict.rule}. {verdict.diagnosis}" if verdict.rule else ""
    return f"{verdict.name} is {verdict.state}{reason}"


def _record_verdict(verdict: Verdict, answer: Callable[..., Any]) -> Callable[..., Any]:
    verdicts.pop(verdict.name, None)  # so that the newest verdict comes last
    verdicts[verdict.name] = verdict
    _display(Feedback(verdict))
    if path := os.environ.get(RECORD):
        with open(path, "a", encoding="utf-8") as file:
            objects = ("cast_to", "failing")
            fields = {key: value for key, value in vars(verdict).items() if key not in objects}
            file.write(json.dumps(fields, ensure_ascii=False) + "\n")
    strictly = os.environ.get(STRICT, "0") not in ("", "0")
    # Progress is the reader's; strict mode is for tests.
    if verdict.state != BLANK and not strictly:
        save_progress("exercises", verdict.name, verdict.state)
    if verdict.state != RIGHT and strictly:
        raise ExerciseError(_failure_message(verdict))
    return answer


def _display(feedback: Feedback) -> None:
    notebook = sys.modules.get("IPython")  # only if already loaded: importing it takes a while
    if notebook and notebook.get_ipython():
        notebook.display.display(feedback)
    else:
        print(feedback)


def undecorated(source: str) -> list[str]:
    """The exercises of this session's chapter that a cell defines without asking for a verdict."""
    with contextlib.suppress(SyntaxError):
        chapters = _chapters_of_now() or names_by_chapter()
        names = {name for chapter in chapters for name in names_by_chapter()[chapter]}
        return [
            part.name
            for part in ast.parse(source).body
            if isinstance(part, ast.FunctionDef) and part.name in names and not part.decorator_list
        ]
    return []


def _warn_unjudged(result: Any) -> None:
    """After a cell: say that a function stands there which nobody has judged."""
    for name in undecorated(getattr(result.info, "raw_cell", "") if result.success else ""):
        print(
            f"{name} was not judged: write @exercise in the line above its def, and run the "
            "cell again."
        )


def _register_hook() -> None:
    """In a notebook, look at every cell that was run."""
    notebook = sys.modules.get("IPython")
    shell = notebook.get_ipython() if notebook else None
    if shell is not None:
        shell.events.register("post_run_cell", _warn_unjudged)


def strict(on: bool = True) -> None:
    """From now on a blank or wrong exercise raises ExerciseError (or no longer does)."""
    os.environ[STRICT] = str(int(on))


_register_hook()
