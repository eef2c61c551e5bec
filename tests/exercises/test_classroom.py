"""The classroom: chapters handed out, a folder of notebooks taken back, a page without names.

The grading of one notebook has tests of its own (test_grade); here it is mostly a stand-in.
"""

import argparse
import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from attnbook.classroom.folder import _grade, grade_folder
from attnbook.classroom.page import class_page, mistakes
from attnbook.classroom.results import as_csv, table
from attnbook.classroom.submissions import (
    KEPT,
    Kept,
    Submission,
    find_submissions,
    grade_all,
    note_doubles,
)
from attnbook.report import Report
from attnbook.sandbox import stopped
from attnlib.cli.parser import main

SETUP = "import torch\nfrom attnbook import exercise"
ANSWERS = {
    "right": "@exercise\ndef shares(amounts):\n    return amounts / amounts.sum()",
    "wrong": "@exercise\ndef shares(amounts):\n    return amounts / amounts.max()",
    "not attempted": "@exercise\ndef shares(amounts):\n    raise NotImplementedError",
}


def put(path: Path, *cells: str) -> Path:
    """A notebook of code cells."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = [new_code_cell(source, id=f"c{n}") for n, source in enumerate(cells)]
    nbformat.write(new_notebook(cells=made), path)
    return path


def row(name: str, state: str, diagnosis: str = "", rule: str = "") -> dict[str, str]:
    return {"name": name, "state": state, "rule": rule, "diagnosis": diagnosis}


class Judge:
    """Stands in for the grader: what it was given, and a verdict by what the notebook says."""

    def __init__(self) -> None:
        self.given: list[tuple[str, bool]] = []

    def __call__(self, path: Path, alone: bool) -> Report:
        self.given.append((path.name, alone))
        text = path.read_text(encoding="utf-8")
        if "shares" not in text:
            raise ValueError(f"{path} holds no exercise of this book (a cell with @exercise)")
        state = "right" if "sum" in text else "wrong" if "max" in text else "not attempted"
        told = "The largest share is 1" if state == "wrong" else ""
        return Report(str(path), [row("shares", state, told)])


def graded(folder: Path, judge: Any, settings: Any = (), **options: Any) -> list[Submission]:
    found, _ = find_submissions(folder)
    list(grade_all(found, judge, Kept(folder / KEPT), settings, **options))
    return found


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    """A folder as teachers get it."""
    folder = tmp_path / "class"
    put(folder / "ann" / "00.ipynb", SETUP, ANSWERS["right"])
    put(folder / "bob" / "00.ipynb", SETUP, ANSWERS["wrong"])
    put(folder / "carol" / "00.ipynb", SETUP, ANSWERS["wrong"])
    put(folder / "carol" / "old" / "00.ipynb", SETUP, ANSWERS["not attempted"])
    put(folder / "dora.ipynb", SETUP, ANSWERS["not attempted"])
    put(folder / "essay.ipynb", "print('mine')")
    put(folder / "ann" / ".ipynb_checkpoints" / "00.ipynb", ANSWERS["wrong"])
    put(folder / "__MACOSX" / "00.ipynb", ANSWERS["wrong"])
    (folder / "eve").mkdir()
    (folder / "eve" / "notes.zip").write_bytes(b"PK")
    return folder


# Taken back -----------------------------------------------------------------------------------


def test_notebooks_are_found_by_student_and_no_others(handed_in: Path) -> None:
    found, others = find_submissions(handed_in)
    told = [(one.student, one.path.relative_to(handed_in).as_posix()) for one in found]
    assert told == [
        ("ann", "ann/00.ipynb"),
        ("bob", "bob/00.ipynb"),
        ("carol", "carol/00.ipynb"),
        ("carol", "carol/old/00.ipynb"),
        ("dora", "dora.ipynb"),
        ("essay", "essay.ipynb"),
    ]
    assert others == ["eve/notes.zip"]
    with pytest.raises(ValueError, match="holds no notebook"):
        find_submissions(handed_in / "eve")


def test_what_lies_among_other_peoples_notebooks_is_graded_alone(handed_in: Path) -> None:
    judge = Judge()
    graded(handed_in, judge)
    assert set(judge.given) == {("00.ipynb", False), ("dora.ipynb", True), ("essay.ipynb", True)}


def test_a_second_call_grades_only_what_is_new_or_changed(handed_in: Path) -> None:
    first, second, third, fourth = Judge(), Judge(), Judge(), Judge()
    graded(handed_in, first)
    assert len(first.given) == 5  # carol handed in what bob did
    put(handed_in / "bob" / "00.ipynb", SETUP, ANSWERS["right"], "print(1)")
    told = {one.student: one for one in graded(handed_in, second)}
    assert sorted(second.given) == [("00.ipynb", False), ("essay.ipynb", True)]
    assert told["bob"].report.right == 1 and told["ann"].before and not told["bob"].before
    graded(handed_in, third, settings=("other limits",))
    graded(handed_in, fourth, again=True)
    assert len(third.given) == len(fourth.given) == 6


def test_a_file_beside_a_notebook_that_changed_is_noticed(handed_in: Path) -> None:
    (handed_in / "ann" / "mine.py").write_text("x = 1", encoding="utf-8")
    graded(handed_in, Judge())
    judge = Judge()
    (handed_in / "ann" / "mine.py").write_text("x = 2", encoding="utf-8")
    graded(handed_in, judge)
    assert judge.given.count(("00.ipynb", False)) == 1


@pytest.mark.parametrize("content", ["{", "[]", '{"exercises": [{}]}', '{"other": 1}'])
def test_a_kept_result_that_cannot_be_read_is_made_anew(handed_in: Path, content: str) -> None:
    graded(handed_in, Judge())
    for kept in (handed_in / KEPT).glob("*.json"):
        kept.write_text(content, encoding="utf-8")
    judge = Judge()
    found = graded(handed_in, judge)
    assert len(judge.given) == 5 and sum(one.report is not None for one in found) == 5


def test_what_one_notebook_does_to_its_grader_costs_no_other(handed_in: Path) -> None:
    def judge(path: Path, alone: bool) -> Report:
        if "bob" in str(path):
            raise RecursionError("what nobody\nforesaw")
        return Judge()(path, alone)

    told = {one.student: one for one in graded(handed_in, judge)}
    assert told["bob"].problem == "what nobody foresaw"
    assert told["essay"].problem == "holds no exercise of this book (a cell with @exercise)"
    assert told["ann"].report.right == 1


def test_the_table_has_a_line_for_every_notebook_whatever_it_is(handed_in: Path) -> None:
    found = graded(handed_in, Judge())
    note_doubles(found)
    assert table(found).splitlines() == [
        "student                      chapter  right  exercises, in the order of the chapter",
        "ann                          00         1/1  ✓",
        "bob                          00         0/1  ✗",
        "    note: the same file as that of carol",
        "carol                        00         0/1  ✗",
        "    note: the same file as that of bob",
        "    note: carol handed this chapter in again: 00.ipynb",
        "carol                        00         0/1  ○",
        "    note: carol handed this chapter in again: 00.ipynb",
        "dora                         00         0/1  ○",
        "essay                        -        not graded: essay.ipynb holds no exercise of this"
        " book (a cell with @exercise)",
    ]


def test_a_long_korean_name_keeps_the_columns_in_line() -> None:
    report = Report("a.ipynb", [row("shares", "right")])
    names = ("김" * 40, "x" * 60, "ann")
    lines = table([Submission(Path("a.ipynb"), name, report=report) for name in names]).split("\n")
    assert lines[1] == "김" * 13 + "…" + "  00         1/1  ✓"
    assert lines[2].startswith("x" * 27 + "… 00 ")


def test_the_csv_has_a_column_for_each_exercise_and_no_formula() -> None:
    some = Report("a.ipynb", [row("shares", "right")], missing=["shares"])
    found = [
        Submission(Path("a.ipynb"), "=HYPERLINK(1)", report=some, notes=["one"]),
        Submission(Path("b.ipynb"), "bob", problem="is not a notebook"),
    ]
    head, first, second = csv.reader(io.StringIO(as_csv(found)))
    assert head == ["student", "notebook", "right", "of", "00 shares", "notes"]
    told = "one; no cell of the notebook holds shares"
    assert first == ["'=HYPERLINK(1)", "a.ipynb", "1", "1", "right", told]
    assert second == ["bob", "b.ipynb", "", "", "", "is not a notebook"]


def test_mistakes_that_differ_in_numbers_alone_are_one() -> None:
    told = ["The padding gets 0.07", "The padding gets 1e-3", "Sum first"]
    rows = [row("attend", "wrong", text) for text in told]
    rows += [row("attend", "wrong", rule="it runs"), row("attend", "right", "not this")]
    assert mistakes(rows) == [("The padding gets 0.07", 2), ("Sum first", 1), ("it runs", 1)]


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[int] = []

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        if tag not in ("meta", "br"):
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_names_mistakes_and_nobody_and_needs_no_other_file(handed_in: Path) -> None:
    found = graded(handed_in, Judge())
    found[0].report.exercises[0].update(state="wrong", diagnosis="<script>alert('{{body}}')")
    page = class_page(found)
    assert "<b>2 ×</b> The largest share is 1" in page and "○ 2 not attempted" in page
    assert "&lt;script&gt;" in page and "<script" not in page
    assert not re.search(r"ann|bob|carol|dora|http|src=|url\(", page)
    tags = Tags()
    tags.feed(page)
    assert tags.open == [] and tags.headings == [1, 2, 3]


def arguments(**options: Any) -> argparse.Namespace:
    usual: dict[str, Any] = {"jobs": 2, "again": False, "json": False}
    return argparse.Namespace(**{**usual, "csv": None, "page": None, "results": None, **options})


def test_a_folder_gives_a_table_a_csv_and_a_page(handed_in: Path, tmp_path: Path, capsys) -> None:
    files = {"csv": tmp_path / "grades.csv", "page": tmp_path / "class.html"}
    assert grade_folder(handed_in, Judge(), (), arguments(**files)) == 1  # the essay
    out, err = capsys.readouterr()
    assert "5 of 6 notebooks are graded. Fewest got shares right: 1 of 5." in out
    assert err == "No notebooks, left out: eve/notes.zip.\n"
    assert files["csv"].read_bytes().startswith(b"\xef\xbb\xbfstudent,")
    assert "<h1>" in files["page"].read_text(encoding="utf-8")
    grade_folder(handed_in, Judge(), (), arguments(json=True))
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["student"] for line in lines][::5] == ["ann", "essay"]
    assert lines[0]["right"] == 1 and lines[5]["error"].startswith("holds no exercise")


def test_where_nothing_can_be_written_is_told_before_anything_is_graded(handed_in: Path) -> None:
    target = handed_in / "ann" / "00.ipynb" / "class.html"
    judge = Judge()
    with pytest.raises(ValueError, match="cannot write"):
        grade_folder(handed_in, judge, (), arguments(page=target))
    assert judge.given == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["{0}", "x.ipynb"], "name one folder, or notebooks"),
        (["x.ipynb", "--csv", "x.csv"], "--csv is for the folder of a class"),
        (["x.ipynb", "--answers-only"], "--answers-only is for the folder of a class"),
        (["{0}", "--jobs", "0"], "--jobs must be a whole number of at least 1, got 0"),
    ],
)
def test_a_usage_error_is_one_sentence(options: list[str], said: str, tmp_path, capsys) -> None:
    assert main(["grade", *(option.format(tmp_path) for option in options)]) in (1, 2)
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


SLEEPS = "import time\ntime.sleep(900)"


@pytest.mark.parametrize(("again", "graded"), [(False, 1), (True, 0)])
def test_what_was_kept_is_counted_when_ctrl_c_comes_before_it_is_told(
    again: bool, graded: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With --again the same command does not go on from what is kept."""
    paths = [put(tmp_path / name / "00.ipynb", SETUP) for name in ("ann", "zoe")]
    found, kept = [Submission(path, path.parent.name) for path in paths], Kept(tmp_path / KEPT)

    def stop(*given: object) -> Any:
        for number, one in enumerate(found):
            one.key = f"key-{number}"
        kept.write(found[0].key, Report("ann", [row("shares", "right")]))
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr("attnbook.classroom.folder.grade_all", stop)
    args = argparse.Namespace(jobs=1, again=again)
    with pytest.raises(KeyboardInterrupt, match=f": {graded} of 2 notebooks are graded"):
        _grade(found, Judge(), kept, {}, args)


def test_ctrl_c_strikes_where_nothing_is_held(handed_in: Path) -> None:
    """Not in the midst of what this thread does: a lock could stay taken."""
    found, _ = find_submissions(handed_in)
    came, judged, before = [], [], signal.getsignal(signal.SIGINT)

    def judge(path: Path, alone: bool) -> Report:
        judged.append(path)
        if len(judged) > 1:  # the second runs on
            assert stopped.wait(20), "nobody was told to stop"
            raise KeyboardInterrupt
        return Report(str(path))

    with pytest.raises(KeyboardInterrupt):
        for one in grade_all(found, judge, Kept(handed_in / KEPT), (), 1):
            came.append(one)
            signal.raise_signal(signal.SIGINT)
            came.append("to its end")
    assert came == [found[0], "to its end"]
    assert not stopped.is_set() and signal.getsignal(signal.SIGINT) is before


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_ctrl_c_keeps_what_is_graded_ends_all_processes_and_is_resumed(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    put(folder / "ann" / "00.ipynb", SETUP, ANSWERS["right"])
    put(folder / "zoe" / "00.ipynb", SETUP, ANSWERS["wrong"], SLEEPS)
    command = [sys.executable, "-m", "attnlib", "grade", str(folder), "--jobs", "2"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, **pipes, env={**os.environ, "TMPDIR": str(tmp_path)})
    deadline = time.monotonic() + 120
    while not list((folder / KEPT).glob("*.json")) and time.monotonic() < deadline:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    told = "attnlib: stopped: 1 of 2 notebooks are graded, and the same command goes on"
    assert err.splitlines()[-1] == told
    assert not list(tmp_path.glob("tmp*"))  # what processes leave behind while they run
    again = subprocess.run([*command, "--answers-only"], capture_output=True, text=True)
    assert "2 of 2 notebooks are graded. Fewest got shares right: 1 of 2." in again.stdout
    assert "zoe                          00         0/1  ✗" in again.stdout
