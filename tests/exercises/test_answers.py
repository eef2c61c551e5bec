"""Answers read out of a notebook: what they take along, and what they leave behind."""

import ast
from pathlib import Path

import jupytext
import pytest
import torch
from answering import blind_answers

from attnbook.exercises.engine import find, names_by_chapter
from attnbook.exercises.judge import judge
from attnbook.grading.answers import Reading, find_answers
from attnbook.grading.suspicion import ready, suspicious

SOURCES = Path(__file__).parents[2] / "chapters" / "source"
SETUP = "import torch\nfrom attnbook import exercise"
RIGHT = "@exercise\ndef shares(amounts):\n    return amounts / amounts.sum()"


def answered(*cells: str):
    return find_answers(cells)["shares"].define()(torch.tensor([1.0, 3.0])).tolist()


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.thorough)])
def test_every_solution_of_the_book_is_found_complete_and_above_suspicion(every: int) -> None:
    answers = {}
    paths = sorted(SOURCES.glob("*.py"))[::every]
    for path in paths:
        cells = jupytext.read(path).cells
        codes = [cell.source for cell in cells if cell.cell_type == "code"]
        reading = Reading(codes, [cell.source for cell in cells if cell.cell_type != "code"])
        answers |= reading.answers
        assert reading.notes == [], path.stem
    numbers = {path.name.partition("_")[0] for path in paths}
    book = names_by_chapter()
    assert set(answers) == {name for number in numbers & set(book) for name in book[number]}
    for name, answer in answers.items():
        assert answer.suspicious() == [], name
        assert answer.define().__name__ == name
        assert not answer.problem


def test_an_answer_takes_along_what_it_uses_and_nothing_else() -> None:
    helpers = "def half(x):\n    return total(x)\ndef total(x):\n    return SCALE * x.sum()"
    model = "model = 1 / 0\ntrained = [1 / 0 for _ in range(9)]"
    uses = "@exercise\ndef shares(amounts):\n    model = amounts\n    return model / half(amounts)"
    around = f"1 / 0\n{uses}\nraise SystemExit"
    assert answered(SETUP, model, "SCALE = 1", helpers, around) == [0.25, 0.75]


def test_the_last_answer_counts() -> None:
    wrong = RIGHT.replace("sum", "max")
    assert answered(SETUP, wrong, RIGHT) == [0.25, 0.75]
    assert answered(SETUP, RIGHT, wrong) != [0.25, 0.75]
    unreadable = RIGHT.replace(":", "")
    assert find_answers([SETUP, RIGHT, unreadable])["shares"].problem


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


def test_an_answer_cannot_lean_on_what_stands_in_for_an_earlier_one() -> None:
    """In Jupyter ``mine`` is the book's own function, for the earlier answer is blank."""
    blank = "@exercise\ndef shares(amounts):\n    raise NotImplementedError"
    leans = "@exercise\ndef shares(amounts):\n    return mine(amounts)"
    inner = blank.replace("    raise", "    @exercise\n    def shares(x):\n        raise") + (
        "\n    return shares(amounts)"
    )
    for cells in ((SETUP, blank, "mine = shares", leans), (SETUP, inner)):
        function = find_answers(cells)["shares"].define()
        assert judge(find("shares"), function).state == "not attempted"


@pytest.mark.parametrize(
    "cells",
    [
        (
            "import attnbook, torch",
            RIGHT.replace("@exercise", "@attnbook.exercise\n@torch.no_grad()"),
        ),
        ("from attnbook import *", RIGHT),
        (SETUP, "def exercise(f):\n    return None", RIGHT),
    ],
    ids=["named in full, among others", "by a star", "redefined, and not asked"],
)
def test_the_decorator_is_known_however_it_came(cells: tuple[str, ...]) -> None:
    assert answered(*cells) == [0.25, 0.75]
    assert find_answers(cells)["shares"].suspicious() == []


MAGICS = [
    "%%time\n",
    "%matplotlib inline\n",
    "files = !ls \\\n  -l\n",
    "torch.sum?\nprint('\\x0c \x0c')\n",
    ">>> if torch:\n...     y = 2\n",
    "%ls\n" * 600,  # IPython's own rewriting gives up after 500
]


@pytest.mark.parametrize("magic", MAGICS)
def test_magics_do_not_hide_an_answer(magic: str) -> None:
    assert answered(SETUP, magic + RIGHT) == [0.25, 0.75]


SUSPICIOUS = {
    "from attnbook.checks.ch00.shares import CHECK": "attnbook.checks.ch00.shares",
    "import sys; f = sys._getframe": "_getframe, sys",
    "__import__('os')": "__import__",
    "shares.__globals__": "__globals__",
    "torch.allclose = lambda *a, **k: True": "torch.allclose",
    "attnbook.exercises.engine.find('shares').reference(amounts)": "exercises, reference",
    "getattr(amounts, 'tb' + '_frame')": "getattr",
    "torch.os.write(3, b''); torch.os._exit(0)": "_exit, os",
    "torch.__dict__['allclose'] = all": "__dict__",
    "exercise(max)": "exercise",
    "from operator import attrgetter as a; torch.library": "attrgetter, library",
    "from helper import share_of": "helper",
    "torch.load('w.pt', weights_only=False)": "load",
    "torch.hub.load('.', 'f', source='local')": "hub, load",
    "from torch import os as o": "os",
    "import numpy; numpy.genfromtxt('a')": "genfromtxt",
    "class A:\n        def __eq__(self, other): return True": "__eq__",
}


@pytest.mark.parametrize("line", SUSPICIOUS)
def test_what_no_answer_needs_is_noticed(line: str) -> None:
    body = f"    {line}\n    return amounts / torch.max(amounts)"
    (answer,) = find_answers([SETUP, f"@exercise\ndef shares(amounts):\n{body}"]).values()
    assert ", ".join(answer.suspicious()) == SUSPICIOUS[line]


#: What calls the answer, or may: the notebook's set-up and the answer, and what is told.
READY = {
    "attnlib.metrics.ngram_counts": (
        "from attnlib import metrics",
        "ngram_counts(tokens, n):\n    return metrics.ngram_counts(tokens, n)",
    ),
    "attnlib.metrics.bleu.ngram_counts": (
        "from attnlib.metrics.bleu import ngram_counts as ready\nmine = ready",
        "ngram_counts(tokens, n):\n    return mine(tokens, n)",
    ),
    "attnlib.model.last_real": (
        "from attnlib.model import *\ndef helper(x, mask):\n    return last_real(x, mask)",
        "last_real(*given):\n    return helper(*given)",
    ),
    "torch.nn.LSTMCell": (
        "import torch.nn as nn",
        "lstm_step(*given):\n    return nn.LSTMCell(4, 4)",
    ),
    "torch.optim.Adam": ("", "adam_step(*given):\n    torch.optim.Adam([])"),
    "torch.nn.utils.clip_grad_norm_": (
        "from torch.nn import utils",
        "clip_by_norm(*given):\n    utils.clip_grad_norm_(given, 1)",
    ),
    "torch.nn.functional.scaled_dot_product_attention": (
        "import torch.nn.functional as F",
        "cached_step(*given):\n    return F.scaled_dot_product_attention(*given)",
    ),
}


@pytest.mark.parametrize("expected", READY)
def test_what_may_be_the_answer_itself_is_noticed(expected: str) -> None:
    before, answer = READY[expected]
    (parsed,) = find_answers([SETUP, before, f"@exercise\ndef {answer}"]).values()
    assert parsed.ready() == [expected]
    assert parsed.suspicious() == []


@pytest.mark.thorough
def test_honest_answers_are_seldom_suspected() -> None:
    """What they leave on the function itself, or in Python, and the library's or torch's own
    function: of that only right answers count."""
    seen: dict[str, set[str]] = {"suspicious": set(), "ready": set()}
    for answer in blind_answers():
        body = ast.parse(answer.source).body
        for part in suspicious(body):
            if part != "getattr" and not part.startswith(f"{answer.exercise}."):
                seen["suspicious"].add(f"{answer.exercise}: {part}")
        if answer.right:
            for part in ready(body, find(answer.exercise).reference):
                seen["ready"].add(f"{answer.exercise}: {part}")
    assert sorted(seen["suspicious"]) == ["bpe_merge: sys", "sign_test: getcontext().prec"]
    assert sorted(seen["ready"]) == [
        "adam_step: torch.optim.Adam",
        "attention_step: torch.nn.functional.scaled_dot_product_attention",
        "cached_step: torch.nn.functional.scaled_dot_product_attention",
    ]


def test_an_import_that_the_answer_does_not_use_is_no_alarm() -> None:
    setup = "import torch, sys, os\nfrom os import path, sep\nfrom attnbook import views, exercise"
    answers = find_answers([setup, RIGHT, RIGHT.replace("shares", "unroll") + "[sep]"])
    assert answers["shares"].suspicious() == []
    assert answers["unroll"].suspicious() == ["os"]


def under(line: str, source: str = RIGHT) -> str:
    return f"{line}\n    " + source.replace("\n", "\n    ")


NOTED = {
    "shares is answered 2 times, in the code cells 2, 3: the last one counts": (RIGHT, RIGHT),
    "shares is under if: it was judged with what is there": (under("if __name__ == '__main__':"),),
    "shares is under match: it was judged with what is there": (
        "match 5:\n  case 5:\n    " + RIGHT.replace("\n", "\n    "),
    ),
}
NOT_JUDGED = {
    "shares is under %%writefile": ("%%writefile a.py\n" + RIGHT,),
    "shares is inside a class": (under("class A:"),),
    "shares is inside a def": (under("def f():"),),
    "shares is passed to exercise() instead of marked with it": (
        "f = exercise(shares)",
        "exercise(attends)",
    ),
    "shares is defined without @exercise above it": (RIGHT.partition("\n")[2],),
    "shares is defined without @exercise above it ": (RIGHT.replace("xercise", ""),),
}


@pytest.mark.parametrize("note", NOTED)
def test_an_answer_in_an_odd_place_is_judged_and_reported(note: str) -> None:
    reading = Reading([SETUP, *NOTED[note]])
    assert reading.notes == [note]
    amounts = torch.tensor([1.0, 3.0])
    assert reading.answers["shares"].define()(amounts).tolist() == [0.25, 0.75]
    assert reading.answers["shares"].suspicious() == []


@pytest.mark.parametrize("note", NOT_JUDGED)
def test_what_is_not_judged_is_reported(note: str) -> None:
    reading = Reading([SETUP, *NOT_JUDGED[note]])
    assert (reading.answers, reading.notes) == ({}, [f"{note.strip()}: that one was not judged"])


def test_a_class_under_exercise_gets_the_diagnosis_of_the_engine() -> None:
    cell = (
        "@exercise\nclass shares:\n    def __init__(self, amounts):\n        self.shares = amounts"
    )
    (answer,) = find_answers([SETUP, cell]).values()
    verdict = judge(find("shares"), answer.define())
    assert verdict.state == "wrong"
    assert verdict.diagnosis.startswith(
        "Under @exercise there must be a def, here def shares(amounts)"
    )
    assert Reading([SETUP, "class shares:\n    pass"]).notes == [
        "shares is defined without @exercise above it: that one was not judged"
    ]


@pytest.mark.parametrize("name", ["Shares", "share", "something_else"])
def test_a_name_that_is_no_exercise_is_reported_with_the_error_of_the_engine(name: str) -> None:
    with pytest.raises(ValueError) as error:
        find(name)
    for cell in (RIGHT.replace("shares", name), f"@exercise\nclass {name}:\n    pass"):
        reading = Reading([SETUP, cell])
        assert reading.notes == [str(error.value).rstrip(".") + ": that one was not judged"]


def test_an_answer_in_a_cell_of_text_is_reported() -> None:
    reading = Reading([SETUP, RIGHT], ["# Mine", f"So:\n\n```python\n{RIGHT}\n```"])
    assert reading.notes == ["shares is in a cell of text: that one was not judged"]
    assert list(reading.answers) == ["shares"]


def test_a_definition_whose_lines_are_not_reached_raises() -> None:
    (answer,) = find_answers([SETUP, under("if False:")]).values()
    with pytest.raises(NameError, match="shares is never defined: the lines around it are not"):
        answer.define()


#: Each would take a minute or more if a line were looked at again for each other line.
LONG = {
    "marks": "@exercise\n" * 14_000 + "x = = 1",
    "blank lines": "\n" * 140_000 + "x = = 1",
    "a chain": "a0 = 1\n" + "".join(f"a{n + 1} = a{n}\n" for n in range(9_000)),
    "too long": "x" + ".a" * 400_000,
}


@pytest.mark.parametrize("kind", LONG)
def test_a_cell_is_read_in_time_that_grows_with_its_length(kind: str) -> None:
    uses = RIGHT.replace("amounts.sum()", "(a9000 * amounts.sum())")
    cells = [SETUP, LONG[kind], uses if kind == "a chain" else RIGHT]
    assert answered(*cells) == [0.25, 0.75]


@pytest.mark.parametrize("odd", ["(" * 10**5, "-" * 10**5 + "1", "x = '\ud800'", "a\0b"])
def test_source_that_cannot_be_read_hides_no_other_cell(odd: str) -> None:
    assert answered(SETUP, odd, RIGHT) == [0.25, 0.75]
