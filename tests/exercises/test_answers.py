"""Answers read out of a notebook: what they take along, and what they leave behind."""

import json
from pathlib import Path

import jupytext
import pytest
import torch

from attnbook.answers import find_answers, read_cells
from attnbook.exercises.engine import find, names_by_chapter
from attnbook.exercises.judge import judge

SOURCES = Path(__file__).parents[2] / "chapters" / "source"
SETUP = "import torch\nfrom attnbook import exercise"
RIGHT = "@exercise\ndef shares(amounts):\n    return amounts / amounts.sum()"


def answered(*cells: str):
    return find_answers(cells)["shares"].define()(torch.tensor([1.0, 3.0])).tolist()


def test_every_solution_of_the_book_is_found_complete_and_above_suspicion() -> None:
    found = {}
    for path in sorted(SOURCES.glob("*.py")):
        cells = jupytext.read(path).cells
        found |= find_answers([cell.source for cell in cells if cell.cell_type == "code"])
    assert set(found) == {name for names in names_by_chapter().values() for name in names}
    for name, answer in found.items():
        assert answer.suspicious() == [], name
        assert answer.define().__name__ == name
        assert not answer.problem


def test_an_answer_takes_along_what_it_uses_and_nothing_else() -> None:
    helpers = "def half(x):\n    return total(x)\ndef total(x):\n    return SCALE * x.sum()"
    model = "model = 1 / 0\ntrained = [1 / 0 for _ in range(9)]"
    uses = "@exercise\ndef shares(amounts):\n    model = amounts\n    return model / half(amounts)"
    assert answered(SETUP, model, "SCALE = 1", helpers, uses) == [0.25, 0.75]


def test_what_stands_around_an_answer_in_its_cell_is_not_run() -> None:
    assert answered(SETUP, f"1 / 0\n{RIGHT}\nraise SystemExit") == [0.25, 0.75]


def test_the_last_answer_counts() -> None:
    wrong = RIGHT.replace("sum", "max")
    assert answered(SETUP, wrong, RIGHT) == [0.25, 0.75]
    assert answered(SETUP, RIGHT, wrong) != [0.25, 0.75]


def test_an_answer_that_calls_itself_does_not_mean_the_books() -> None:
    blank = "@exercise\ndef shares(amounts):\n    raise NotImplementedError"
    itself = "@exercise\ndef shares(amounts):\n    return shares(amounts)"
    function = find_answers([SETUP, blank, itself])["shares"].define()
    assert judge(find("shares"), function).state == "wrong"


def test_an_answer_may_call_another_which_then_is_the_books() -> None:
    other = "@exercise\ndef greedy_trap(*given):\n    raise NotImplementedError"
    calls = "@exercise\ndef shares(amounts):\n    return greedy_trap"
    function = find_answers([SETUP, other, calls])["shares"].define()
    assert function(1) is find("greedy_trap").reference


@pytest.mark.parametrize("magic", ["%%time\n", "%matplotlib inline\n", "!ls\n"])
def test_magics_do_not_hide_an_answer(magic: str) -> None:
    assert answered(SETUP, magic + RIGHT) == [0.25, 0.75]


def test_the_decorator_may_be_named_in_full_and_stand_among_others() -> None:
    stacked = RIGHT.replace("@exercise", "@attnbook.exercise\n@torch.no_grad()")
    assert answered("import attnbook, torch", stacked) == [0.25, 0.75]


def test_a_redefined_decorator_is_not_asked() -> None:
    assert answered(SETUP, "def exercise(f):\n    return None", RIGHT) == [0.25, 0.75]


SUSPICIOUS = {
    "from attnbook.checks.ch00.shares import CHECK": "attnbook.checks.ch00.shares",
    "import attnbook.exercises.judge as j": "attnbook.exercises.judge",
    "import sys; f = sys._getframe": "_getframe, sys",
    "import gc": "gc",
    "__import__('os')": "__import__",
    "shares.__globals__": "__globals__",
    "torch.allclose = lambda *a, **k: True": "torch.allclose",
    "setattr(torch, 'allclose', all)": "setattr",
}


@pytest.mark.parametrize("line", SUSPICIOUS)
def test_what_no_answer_needs_is_seen(line: str) -> None:
    body = f"    {line}\n    return amounts / torch.max(amounts)"
    (answer,) = find_answers([SETUP, f"@exercise\ndef shares(amounts):\n{body}"]).values()
    assert ", ".join(answer.suspicious()) == SUSPICIOUS[line]


def test_what_many_answers_use_is_not_suspected() -> None:
    lines = "model.eval(); re.compile('a'); x.grad = None; list(model.modules()); x[0] = 1"
    body = f"    x = model = amounts\n    {lines}"
    cells = [SETUP, "import re", f"@exercise\ndef shares(amounts):\n{body}"]
    assert find_answers(cells)["shares"].suspicious() == []


def test_a_byte_order_mark_and_the_format_before_2015_are_read(tmp_path: Path) -> None:
    old = {"nbformat": 3, "worksheets": [{"cells": [
        {"cell_type": "markdown", "source": "no code"},
        {"cell_type": "code", "input": ["import torch\n", "1"]},
    ]}]}  # fmt: skip
    new = {"nbformat": 4, "cells": [{"cell_type": "code", "source": "import torch\n1"}]}
    for notebook in (old, new):
        path = tmp_path / "a.ipynb"
        path.write_text(json.dumps(notebook), encoding="utf-8-sig")
        assert read_cells(path) == ["import torch\n1"]


@pytest.mark.parametrize("odd", ["(" * 10**5, "-" * 10**5 + "1", "x = '\ud800'", "a\0b"])
def test_source_that_cannot_be_read_hides_no_other_cell(odd: str) -> None:
    assert answered(SETUP, odd, RIGHT) == [0.25, 0.75]
