"""Grading: whatever a submitted notebook does, every exercise of its chapter gets a line."""

import json
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from attnbook.grade import Limits, grade
from attnlib.cli.parser import main

SETUP = "import torch\nfrom attnbook import exercise"
RIGHT = "@exercise\ndef shares(amounts):\n    return amounts / amounts.sum()"
WRONG = "@exercise\ndef shares(amounts):\n    return amounts / amounts.max()"
BLANK = "@exercise\ndef shares(amounts):\n    raise NotImplementedError"


def notebook(path: Path, *cells: str) -> Path:
    made = [new_markdown_cell("# Mine"), *(new_code_cell(cell) for cell in cells)]
    nbformat.write(new_notebook(cells=made), path)
    return path


@pytest.mark.parametrize(
    ("answer", "state", "why"),
    [
        (RIGHT, "right", ""),
        (WRONG, "wrong", "The largest share is 1"),
        (BLANK, "not attempted", ""),
    ],
)
def test_an_exercise_is_right_wrong_or_not_attempted(answer, state, why, tmp_path) -> None:
    report = grade(notebook(tmp_path / "a.ipynb", SETUP, answer))
    (row,) = report.exercises
    assert (row["name"], row["state"]) == ("shares", state)
    assert why in row["diagnosis"]
    assert report.problems == []
    assert report.right == (state == "right")


CALAMITIES = {
    "raises": ("1 / 0", "code cell 2 raised ZeroDivisionError: division by zero"),
    "leaves": ("raise SystemExit", "code cell 2 raised SystemExit"),
    "crashes": ("import os\nos._exit(3)", "code cell 2 ended its process (status 3)"),
    "ends quietly": ("import os\nos._exit(0)", "code cell 2 ended its process (status 0)"),
    "hangs": ("while True: pass", "code cell 2 ran longer than 20 seconds"),
    "asks": ("input()", "code cell 2 raised EOFError"),
    "is no Python": ("def (", "code cell 2 raised SyntaxError"),
    "fills the memory": ("x = bytearray(10**11)", "code cell 2 raised MemoryError"),
}


@pytest.mark.parametrize("kind", CALAMITIES)
def test_a_bad_cell_costs_itself_and_no_other(kind: str, tmp_path: Path) -> None:
    cell, problem = CALAMITIES[kind]
    path = notebook(tmp_path / "a.ipynb", SETUP, cell, RIGHT)
    report = grade(path, Limits(minutes=2, cell_seconds=20 if kind == "hangs" else 100))
    assert len(report.problems) == 1 and report.problems[0].startswith(problem), report.problems
    assert report.right == 1


def test_an_exercise_that_kills_its_process_is_wrong_and_said_so(tmp_path: Path) -> None:
    dies = "@exercise\ndef shares(amounts):\n    import os\n    os._exit(1)"
    report = grade(notebook(tmp_path / "a.ipynb", SETUP, dies))
    assert report.exercises[0]["state"] == "wrong"
    assert report.exercises[0]["diagnosis"] == "Its cell ended its process (status 1)."


def test_the_time_for_a_notebook_is_limited(tmp_path: Path) -> None:
    path = notebook(tmp_path / "a.ipynb", SETUP, RIGHT, "while True: pass")
    report = grade(path, Limits(minutes=0.4))
    assert "was running when the time for the notebook was over" in report.problems[-1] + str(
        report
    )
    assert report.right == 1


def test_the_command_prints_a_line_for_every_exercise(tmp_path: Path, capsys) -> None:
    good = notebook(tmp_path / "good.ipynb", SETUP, RIGHT)
    bad = notebook(tmp_path / "bad.ipynb", SETUP, WRONG)
    assert main(["grade", str(good), str(bad)]) == 0
    out = capsys.readouterr().out
    assert "  ✓ shares, right\n" in out and "  ✗ shares, wrong: The largest share is 1" in out
    assert out.endswith("0 of 1 exercises are right\n")
    assert main(["grade", str(good), "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    told = json.loads(line)
    assert (told["right"], told["of"], told["exercises"][0]["name"]) == (1, 1, "shares")


BAD = {
    "missing.ipynb": (None, "does not exist"),
    "broken.ipynb": ("{", "is not a notebook"),
    "list.ipynb": ("[]", "is not a notebook"),
    "latin.ipynb": (b"\xe4", "is not a notebook"),
    "other.ipynb": ('{"cells": []}', "holds no exercise of this book"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_graded_is_one_sentence_and_the_others_are_graded(
    name: str, tmp_path: Path, capsys
) -> None:
    text, said = BAD[name]
    if text is not None:
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    good = notebook(tmp_path / "good.ipynb", SETUP, RIGHT)
    assert main(["grade", str(tmp_path / name), str(good)]) == 1
    out, err = capsys.readouterr()
    assert err.count("\n") == 1 and said in err and name in err
    assert "1 of 1 exercises are right" in out
