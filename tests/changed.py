"""Run the tests of what changed since the last commit: `make changed`.

A test of the library, the exercises or the book is run where its file imports something that a
changed module defines, or a module that imports that; so are the doctests of these modules, and of
a changed check, of one that imports a changed file, or of a changed answer, all answers to its
exercise, blind ones included. Of a changed chapter, what is tested without executing it. Thorough
tests, those in a browser and those of the project are run only if they are what changed. A changed
file without a known test is named, and the run fails, unless it is a page of text.

    python tests/changed.py [FILE ...]        # as if these had changed
"""

import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from programs import ROOT

from attnbook.builder import dependencies as book

KINDS = ("wrong_answers", "right_answers", "known_mistakes", "zoo")
ANSWERS = [f"tests/exercises/test_{kind}.py" for kind in KINDS]
BLIND = "tests/exercises/blind/answers.jsonl"
JUDGE = "tests/exercises/judge_answers.py"
OF_A_CHAPTER = [
    f"tests/book/test_{what}.py"
    for what in ("notebooks", "cells", "numbers", "words", "papers", "predictions", "stripped")
]


class Chosen(NamedTuple):
    """What is run for changed files, and which are named instead."""

    run: list[str]  # for pytest: tests, and modules for their doctests
    exercises: list[str]  # all answers to these are judged
    untested: list[str]  # changed files of which no test is known here


def changed_files() -> list[str]:
    """Files that differ from the last commit, new ones too."""
    lists = (["diff", "--name-only", "HEAD"], ["ls-files", "--others", "--exclude-standard"])
    options = {"cwd": ROOT, "text": True}
    return [
        name
        for one in lists
        for name in subprocess.check_output(["git", *one], **options).splitlines()
    ]


@cache
def imported(path: Path) -> set[Path]:
    """The files in which stands what a file imports."""
    return {file for name in book.imported_names(path) for file in book.defining(*name)}


def users(files: set[Path], among: Iterable[Path]) -> set[Path]:
    """The files that import something which one of the given files defines."""
    return {path for path in among if files & imported(path)}


def chosen(names: Iterable[str]) -> Chosen:
    """What to do for changed files, whose names start at the root."""
    run: set[Path] = set()
    exercises, untested = set(), []
    modules = [*ROOT.glob("attnlib/**/*.py"), *ROOT.glob("attnbook/**/*.py")]
    checks = [path for path in modules if "checks" in path.parts]
    library = [path for path in modules if "checks" not in path.parts]
    near_tests = [ROOT / "tests" / folder for folder in ("library", "exercises", "book")]
    tests = [path for folder in near_tests for path in folder.glob("test_*.py")]
    for name in names:
        path = ROOT / name
        found: set[Path] = set()
        if name == BLIND:
            exercises |= answered_anew()
            found, known = {ROOT / "tests/exercises/test_blind_answers.py"}, True
        elif path.parent in (ROOT / "chapters", ROOT / "chapters/source") and path.is_file():
            found, known = {ROOT / file for file in OF_A_CHAPTER}, True
        elif path.suffix != ".py" or not path.is_file():
            known = path.suffix == ".md"
        elif path.stem.startswith("test_"):
            found, known = {path}, True
        elif {"checks", "answers"} & {*Path(name).parts}:
            judged = with_users({path}, checks)
            stems = {one.stem for one in judged if one.parent.name.startswith("ch")}
            stems -= {"__init__"}
            exercises |= stems
            known = bool(stems)
        elif path in library:
            near = {path} | users({path}, library)
            importing = users(near, tests)
            found = near | importing
            known = bool(importing) or any(">>> " in one.read_text("utf-8") for one in near)
        else:
            known = False
        run |= found
        untested += [] if known else [name]
    return Chosen(listed(run), sorted(exercises), untested)


def answered_anew() -> set[str]:
    """The exercises to which a line of blind answers is new or changed."""
    diff = subprocess.check_output(
        ["git", "diff", "--unified=0", "HEAD", "--", BLIND], cwd=ROOT, encoding="utf-8"
    )
    return set(re.findall(r'^\+\{"exercise": "(\w+)"', diff, re.MULTILINE))


def with_users(files: set[Path], among: Iterable[Path]) -> set[Path]:
    """The files, and those that import from them, from those again, and so on."""
    while more := users(files, among) - files:
        files = files | more
    return files


def listed(paths: Iterable[Path]) -> list[str]:
    return sorted(path.relative_to(ROOT).as_posix() for path in paths)


def main() -> int:
    names = sys.argv[1:] or changed_files()
    run, exercises, untested = chosen(names)
    answers = f" and the answers to {', '.join(exercises)}" if exercises else ""
    print(f"Running the tests of {len(run)} files{answers}.", flush=True)
    runs = [
        [path for path in run if path in names],
        ["-m", "not thorough", *others] if (others := [p for p in run if p not in names]) else [],
        [*ANSWERS, "-k", " or ".join(exercises)] if exercises else [],
    ]
    pytest = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadscope"]
    codes = [subprocess.call([*pytest, *one], cwd=ROOT) for one in runs if one]
    if exercises:
        chosen_ones = [part for name in exercises for part in ("--exercise", name)]
        codes += [subprocess.call([sys.executable, JUDGE, *chosen_ones], cwd=ROOT)]
    if untested:
        print(f"NOT TESTED, because make changed knows no test of it: {', '.join(untested)}.")
        print("make test runs everything.")
    failed = [code for code in codes if code != 5]  # 5: all that was chosen is marked thorough
    return max([*failed, int(bool(untested))])


if __name__ == "__main__":
    sys.exit(main())
