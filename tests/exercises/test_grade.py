"""Grading: whatever a submitted notebook does, every exercise of its chapter gets a line."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from answering import SETUP, SHARES, notebook

import attnbook.grading.grade as module
from attnbook.grading.grade import Limits, grade
from attnbook.grading.sandbox import Job, Outcome
from attnbook.progress_file import PROGRESS_VARIABLE
from attnlib.translator.cli.parser import main

RIGHT, WRONG = SHARES["right"], SHARES["wrong"]
RIGHT_TOO = """@exercise
def temperature_for(n, target):
    if not 1 / n < target < 1:
        raise ValueError("no temperature gives this weight")
    return 2 / float(torch.tensor(target * (n - 1) / (1 - target)).double().log())"""
BLANK = "@exercise\ndef attend(query, keys, values, mask):\n    raise NotImplementedError"

#: What is told of a process that ended itself with os.kill(…, 9).
KILLED = "Its cell was killed, by itself or by the system where memory ran out (status 137)."
if sys.platform == "win32":  # which has no such signal
    KILLED = "Its cell ended its process at once, as os._exit() does (status 9)."


def test_an_exercise_is_right_wrong_or_not_attempted(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv(PROGRESS_VARIABLE, str(tmp_path / "progress.json"))  # the teacher's own
    report = grade(notebook(tmp_path / "a.ipynb", SETUP, WRONG, RIGHT_TOO, BLANK))
    assert [path.name for path in tmp_path.iterdir()] == ["a.ipynb"]
    result = {row["name"]: (row["state"], row["diagnosis"]) for row in report.exercises}
    assert result["shares"][0] == "wrong" and "The largest share is 1" in result["shares"][1]
    assert result["temperature_for"] == ("right", "")
    assert result["attend"] == ("not attempted", "") and "attend" not in report.missing
    assert report.problems == []
    assert report.num_right == 1


LOOKS = f"""
import os, pathlib
assert "SCHOOL_TOKEN" not in os.environ
assert str(pathlib.Path.home()) != {str(Path.home())!r}
"""
GOOD_CELLS = (
    "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()",
    "!true",
    "import threading, time\nthreading.Thread(target=lambda: time.sleep(900)).start()",
    LOOKS,
)
BAD_CELLS = {
    "1 / 0": "ZeroDivisionError: division by zero",
    "raise SystemExit": "SystemExit",
    "input()": "EOFError",
    "def (": "SyntaxError",
    "x = bytearray(10**11)": "MemoryError",
    "open('big', 'wb').truncate(10**12)": "OSError",  # shared memory is a file, too
}
#: U+2028 and U+0085 end a line for str.splitlines, and not in JSON.
PRINTS = "%%time\n" + RIGHT.replace("return", "print('a\\u2028b\\x85c')\n    return")


@pytest.mark.thorough
def test_a_cell_that_raises_costs_itself_and_magics_threads_and_prints_cost_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCHOOL_TOKEN", "secret")  # a notebook sees little of the environment
    report = grade(notebook(tmp_path / "a.ipynb", SETUP, *GOOD_CELLS, *BAD_CELLS, PRINTS))
    for number, (problem, raised) in enumerate(zip(report.problems, BAD_CELLS.values()), 6):
        assert problem.startswith(f"code cell {number} raised {raised}")
    assert (len(report.problems), report.exercises[0]["state"]) == (6, "right")


@pytest.mark.thorough
def test_a_cell_that_ends_or_stops_its_process_costs_itself_and_no_other(tmp_path: Path) -> None:
    cells = ("import os\nos._exit(3)", "os._exit(0)", "import os\nos._exit(0)", "while True: pass")
    path = notebook(tmp_path / "a.ipynb", SETUP, *cells, RIGHT, "raise ValueError('last')")
    report = grade(path, Limits(minutes=10, cell_seconds=8))  # the import of torch takes 2
    assert report.problems == [
        "code cell 2 ended its process at once, as os._exit() does (status 3)",
        "code cell 3 raised NameError: name 'os' is not defined",
        "code cell 4 ended its process at once, as os._exit() does (status 0)",
        "code cell 5 ran longer than 8 seconds",
        "code cell 7 raised ValueError: last",
    ]
    assert report.num_right == 1


#: Writes a verdict wherever it can, and leaves before the judge has its say.
FORGES = """
@exercise
def {name}(query, keys, values, bandwidth):
    import json
    fake = {{"name": "{name}", "state": "right", "rule": "", "diagnosis": ""}}
    for number in range(3, 99):
        try:
            torch.os.write(number, json.dumps(fake).encode())
        except OSError:
            pass
    for path in [torch.os.environ.get("ATTNLIB_RECORD"), "../record"]:
        if path:
            with open(path, "a") as record:
                for ended in range(9):
                    record.write(json.dumps({{**fake, "ended": ended, "verdict": fake}}) + chr(10))
    torch.os.kill(torch.os.getpid(), 9)
"""


@pytest.mark.thorough
def test_an_exercise_that_cannot_be_judged_is_wrong_and_reported_why(tmp_path: Path) -> None:
    """All in one notebook, each in a process of its own."""
    cells = {
        "shares": "@exercise\ndef shares(amounts):\n    import os\n    os.kill(os.getpid(), 9)",
        "lookup_gradient": "@exercise\ndef lookup_gradient(query keys):\n    return 1",
        "attend": "@exercise\ndef attend(query=nowhere):\n    return 1",
        "temperature_for": "@attnbook.exercise\ndef temperature_for(scores):\n    return 1",
        "unroll": "@exercise\ndef unroll(cell, inputs, state):\n    ctypes.string_at(0)",
        "nadaraya_watson": FORGES.format(name="nadaraya_watson"),
    }
    setup = f"{SETUP}\nimport ctypes"
    report = grade(notebook(tmp_path / "a.ipynb", setup, *cells.values()))
    result = {row["name"]: row for row in report.exercises if row["name"] in cells}
    assert {row["state"] for row in result.values()} == {"wrong"}
    assert result["shares"]["diagnosis"] == KILLED
    assert "raises SyntaxError" in result["lookup_gradient"]["diagnosis"]
    assert "line 2 of the cell" in result["lookup_gradient"]["diagnosis"]
    assert "NameError: name 'nowhere'" in result["attend"]["diagnosis"]
    assert "'attnbook' is not defined; is the setup cell" in result["temperature_for"]["diagnosis"]
    assert result["nadaraya_watson"]["diagnosis"] == KILLED
    assert result["unroll"]["diagnosis"].startswith("Its cell crashed Python itself, as an ")
    uses = {"shares": "os", "unroll": "ctypes", "nadaraya_watson": "open, os"}
    notes = [f"{name} uses {what}, which no answer needs: read it" for name, what in uses.items()]
    forged = "nadaraya_watson is right in the notebook and wrong from its source alone: read it"
    assert report.problems[:4] == [forged, *notes]


#: What a notebook may write into its record, and that it may remove it.
FORGES_ALL = """
import json, os
with open(os.environ["ATTNLIB_RECORD"], "ab") as record:
    for line in (b'{"name": "shares"}', b"5", b"\\xff", b"[" * 9**6, b"null", b'{"ended": []}',
                 b'{"begun": "x", "ended": -3}', b'{"error": {}, "ended": 1}',
                 json.dumps({"name": "shares", "state": "right"}).encode()):
        record.write(line + b"\\n")
"""
PATCHES = """
import attnbook.exercises.engine as engine, resource, torch
from attnbook.exercises.judge import Verdict
engine.judge = lambda check, function: Verdict(check.name, "right")
torch.Tensor.sum = lambda self, *a, **k: self.max()
"""
WRONG_TOO = RIGHT_TOO.replace("n - 1", "n")


@pytest.mark.thorough
def test_what_cells_do_to_the_record_or_the_judge_is_noticed_and_touches_no_verdict(
    tmp_path: Path,
) -> None:
    cells = (WRONG, FORGES_ALL, PATCHES, WRONG_TOO, RIGHT.replace("shares", "attend"))
    report = grade(notebook(tmp_path / "a.ipynb", SETUP, *cells))
    assert {row["state"] for row in report.exercises if row["name"] not in report.missing} == {
        "wrong"
    }
    notes = {
        f"{name} is right in the notebook and wrong from its source alone: read it"
        for name in ("shares", "temperature_for", "attend")
    }
    assert notes <= set(report.problems)


@pytest.mark.thorough
def test_the_text_of_an_exception_is_one_short_line(tmp_path: Path) -> None:
    loud = "raise ValueError('x\\n  ✓ shares, right\\x1b[2K\\u202e' + 'y' * 5_000_000)"
    loud_too = RIGHT.replace("return", "raise ValueError('z\\n  ✓ forged\\x1b[2K'); return")
    report = grade(notebook(tmp_path / "a.ipynb", SETUP, loud, loud_too))
    assert len(report.problems) == 1
    assert report.problems[0].startswith("code cell 2 raised ValueError: x ✓ shares, right\\x1b[2K")
    text = str(report)
    assert len(text) < 2000 and text.count("\n") == 3
    assert all(line.isprintable() for line in text.split("\n"))
    assert len(report.as_json().splitlines()) == 1


@pytest.mark.thorough
def test_what_lies_beside_a_notebook_is_read_shadows_nothing_and_stays_as_it_is(
    tmp_path: Path,
) -> None:
    for shadow in ("random.py", "torch.py", "attnlib.py", "json.py", "sitecustomize.py"):
        (tmp_path / shadow).write_text("raise RuntimeError('a shadow')", encoding="utf-8")
    (tmp_path / "mine.py").write_text("word = '나무'", encoding="utf-8")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "words.csv").write_text("나무,tree", encoding="utf-8")
    before = sorted(path.name for path in tmp_path.rglob("*"))
    reads = (
        "import random, mine, os, pathlib\n"
        "assert mine.word in pathlib.Path('data/words.csv').read_text('utf-8')\n"
        "os.mkdir('planted')\n"
        "os.remove('data/words.csv')"
    )
    report = grade(notebook(tmp_path / "a.ipynb", SETUP, reads, RIGHT))
    assert (report.exercises[0]["state"], report.problems) == ("right", [])
    assert sorted(path.name for path in tmp_path.rglob("*")) == sorted([*before, "a.ipynb"])


class Runs:
    """Stands in for the processes: what they were given, and what came of them."""

    def __init__(self, *outcomes: Outcome) -> None:
        self.outcomes, self.given = list(outcomes), []

    def __call__(self, job: Job, folder: Path, seconds: Any, each: Any, limit: int) -> Outcome:
        self.given.append((job, seconds, each))
        return self.outcomes.pop(0)


JUDGED = Outcome([{"ended": 0, "verdict": {"name": "shares", "state": "right"}}], "")


def test_a_cell_that_hangs_gets_at_most_half_of_the_time_that_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hangs = [
        Outcome([{"begun": 0}], "ran longer than 1 seconds"),
        Outcome([{"begun": 0}, {"ended": 0}, {"begun": 1}], "ran longer than 1 seconds"),
        Outcome([{"ended": 0}, {"ended": 1}, {"ended": 2, "error": ""}], ""),
    ]
    runs = Runs(JUDGED, *hangs)
    monkeypatch.setattr(module, "run_job", runs)
    path = notebook(tmp_path / "a.ipynb", "while True: pass", "while True: pass", RIGHT)
    report = grade(path, Limits(minutes=15, cell_seconds=600))
    assert all(each <= seconds / 2 for _, seconds, each in runs.given)
    assert [list(job.skip) for job, *_ in runs.given[1:]] == [[], [0], [0, 1]]
    assert report.problems == [f"code cell {n} ran longer than 1 seconds" for n in (1, 2)]


def test_no_time_is_spent_after_the_last_cell(tmp_path: Path, monkeypatch) -> None:
    ends = [{"begun": 0}, {"ended": 0, "error": "ValueError: 1"}, {"begun": 1}]
    runs = Runs(JUDGED, Outcome(ends, "ran longer than 1 seconds"))
    monkeypatch.setattr(module, "run_job", runs)
    report = grade(notebook(tmp_path / "a.ipynb", RIGHT, "while True: pass", " "))
    assert report.problems == [
        "code cell 1 raised ValueError: 1",
        "code cell 2 ran longer than 1 seconds",
    ]
    assert runs.outcomes == []


def test_a_process_that_never_judges_is_an_error_and_not_a_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "run_job", Runs(Outcome([], "ended its process (status 1)")))
    with pytest.raises(RuntimeError, match=r"cannot be graded here: a process ended .*status 1"):
        grade(notebook(tmp_path / "a.ipynb", RIGHT))


def test_an_answer_that_no_time_was_left_for_is_not_called_blank(tmp_path: Path) -> None:
    report = grade(notebook(tmp_path / "a.ipynb", SETUP, RIGHT), Limits(minutes=1e-12))
    assert report.exercises[0]["state"] == "not judged"
    assert report.problems == ["not all cells were run within 1e-12 minutes"]
    assert "  ? shares, not judged\n" in str(report)


def test_the_command_prints_a_line_of_json_for_every_notebook(monkeypatch, capsys) -> None:
    rows = [module.ResultRow(name="shares", state="right", rule="", diagnosis="")]
    monkeypatch.setattr(module, "grade", lambda path, limits: module.Report(str(path), rows))
    assert main(["grade", "a.ipynb", "--json", "b.ipynb"]) == 0  # an option may stand anywhere
    for name, line in zip("ab", capsys.readouterr().out.splitlines(), strict=True):
        result = json.loads(line)
        assert (result["right"], result["of"], result["exercises"][0]["name"]) == (1, 1, "shares")
        assert result["notebook"] == f"{name}.ipynb"


BAD = {
    "missing.ipynb": (None, "does not exist"),
    "broken.ipynb": ("{", "is not a notebook"),
    "other.ipynb": ('{"cells": []}', "holds no exercise of this book"),
}


@pytest.mark.thorough
def test_what_cannot_be_graded_is_one_sentence_and_the_others_are_graded(
    tmp_path: Path, capsys
) -> None:
    for name, (content, _) in BAD.items():
        if content is not None:
            (tmp_path / name).write_text(content, encoding="utf-8")
    good = notebook(tmp_path / "good.ipynb", SETUP, RIGHT)
    wrong = notebook(tmp_path / "wrong.ipynb", SETUP, WRONG)
    files = [*(tmp_path / name for name in BAD), good, wrong]
    assert main(["grade", *map(str, files), "--cell-seconds", "60"]) == 1
    out, err = capsys.readouterr()
    for line, (name, (_, message)) in zip(err.splitlines(), BAD.items(), strict=True):
        assert message in line and name in line
    assert "  ✓ shares, right\n  1 of 1 exercises are right\n" in out
    assert "  ✗ shares, wrong: The largest share is 1" in out
    assert out.endswith("0 of 1 exercises are right\n")
