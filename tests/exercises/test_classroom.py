"""The classroom: chapters handed out, a folder of notebooks taken back, a page without names.

The grading of one notebook has tests of its own (test_grade); here it is mostly a stand-in.
"""

import argparse
import csv
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from answering import SETUP, SHARES, notebook

from attnbook.exercises.engine import names_by_chapter
from attnbook.grading.classroom.folder import grade_folder
from attnbook.grading.classroom.page import class_page, mistakes
from attnbook.grading.classroom.results import as_csv, table
from attnbook.grading.classroom.submissions import (
    CACHE_FOLDER,
    ReportCache,
    Submission,
    find_submissions,
    grade_all,
    note_duplicates,
)
from attnbook.grading.handed_in import read_notebook
from attnbook.grading.report import Report, escape_name, limit_notes
from attnbook.grading.sandbox import stopped
from attnlib.translator.cli.parser import main


def row(name: str, state: str, diagnosis: str = "", rule: str = "") -> dict[str, str]:
    return {"name": name, "state": state, "rule": rule, "diagnosis": diagnosis}


class Judge:
    """Stands in for the grader: what it was given, and a verdict by what the notebook says."""

    def __init__(self) -> None:
        self.given: list[tuple[str, bool]] = []

    def __call__(self, path: Path, alone: bool) -> Report:
        self.given.append((path.name, alone))
        read_notebook(path)
        text = path.read_text(encoding="utf-8")
        if "shares" not in text:
            raise ValueError(f"{path} holds no exercise of this book (a cell with @exercise)")
        state = "right" if "sum" in text else "wrong" if "max" in text else "not attempted"
        diagnosis = "The largest share is 1" if state == "wrong" else ""
        return Report(str(path), [row("shares", state, diagnosis)])


def graded(folder: Path, judge: Any, settings: Any = (), **options: Any) -> list[Submission]:
    submissions, _ = find_submissions(folder)
    list(grade_all(submissions, judge, ReportCache(folder / CACHE_FOLDER), settings, **options))
    return submissions


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    """A folder as teachers get it."""
    folder = tmp_path / "class"
    notebook(folder / "ann" / "00.ipynb", SETUP, SHARES["right"])
    notebook(folder / "bob" / "00.ipynb", SETUP, SHARES["wrong"])
    notebook(folder / "carol" / "00.ipynb", SETUP, SHARES["wrong"])
    notebook(folder / "carol" / "old" / "00.ipynb", SETUP, SHARES["not attempted"])
    notebook(folder / "dora.ipynb", SETUP, SHARES["not attempted"])
    notebook(folder / "essay.ipynb", "print('mine')")
    notebook(folder / "ann" / ".ipynb_checkpoints" / "00.ipynb", SHARES["wrong"])
    notebook(folder / "__MACOSX" / "00.ipynb", SHARES["wrong"])
    (folder / "eve").mkdir()
    (folder / "finn").mkdir()
    (folder / "eve" / "notes.zip").write_bytes(b"PK")
    return folder


# Taken back -----------------------------------------------------------------------------------


def test_notebooks_are_found_by_student_and_no_others(handed_in: Path) -> None:
    submissions, others = find_submissions(handed_in)
    result = [(one.student, one.path.relative_to(handed_in).as_posix()) for one in submissions]
    assert result == [
        ("ann", "ann/00.ipynb"),
        ("bob", "bob/00.ipynb"),
        ("carol", "carol/00.ipynb"),
        ("carol", "carol/old/00.ipynb"),
        ("dora", "dora.ipynb"),
        ("essay", "essay.ipynb"),
    ]
    assert others == ["eve/notes.zip", "finn (an empty folder)"]
    with pytest.raises(ValueError, match="holds no notebook"):
        find_submissions(handed_in / "eve")


def test_a_second_call_grades_only_what_is_new_or_changed(handed_in: Path) -> None:
    first, second, third = Judge(), Judge(), Judge()
    graded(handed_in, first)
    assert len(first.given) == 5  # carol handed in what bob did
    notebook(handed_in / "bob" / "00.ipynb", SETUP, SHARES["right"], "print(1)")
    result = {one.student: one for one in graded(handed_in, second)}
    assert sorted(second.given) == [("00.ipynb", False), ("essay.ipynb", True)]  # True: alone
    assert result["bob"].report.num_right == 1
    assert result["ann"].was_cached and not result["bob"].was_cached
    graded(handed_in, third, settings=("other limits",))
    assert len(third.given) == 6


def test_a_file_beside_a_notebook_that_changed_is_noticed(handed_in: Path) -> None:
    (handed_in / "ann" / "mine.py").write_text("x = 1", encoding="utf-8")
    graded(handed_in, Judge())
    judge = Judge()
    (handed_in / "ann" / "mine.py").write_text("x = 2", encoding="utf-8")
    graded(handed_in, judge)
    assert judge.given.count(("00.ipynb", False)) == 1


@pytest.mark.parametrize("content", ["{", "[" * 10**5, '{"other": 1}'])
def test_a_kept_result_that_cannot_be_read_is_made_anew(handed_in: Path, content: str) -> None:
    graded(handed_in, Judge())
    for cache in (handed_in / CACHE_FOLDER).glob("*.json"):
        cache.write_text(content, encoding="utf-8")
    judge = Judge()
    submissions = graded(handed_in, judge)
    assert len(judge.given) == 5 and sum(one.report is not None for one in submissions) == 5


@pytest.fixture
def odd_class(tmp_path: Path) -> tuple[Path, list[str]]:
    """Everything that was ever handed in by mistake beside two notebooks, and whose it is."""
    folder, students = tmp_path / "class", ["ann", "bob"]
    notebook(folder / "ann" / "00.ipynb", SETUP, SHARES["right"])
    notebook(folder / "bob" / "00.ipynb", SETUP, SHARES["wrong"])

    def place(student: str, file: str = "00.ipynb") -> Path:
        (folder / student).mkdir()
        students.append(student)
        return folder / student / file

    for student in ("empty", "empty too"):  # the same bytes twice
        place(student).write_bytes(b"")
    place("page").write_bytes(b"<!doctype html>")
    place("folder").mkdir()
    place("nowhere").symlink_to("nothing")
    (folder / "linked").symlink_to(folder / "ann", target_is_directory=True)
    place("line", "x\nzz_eve     00         1⁄1  ✓ \x1b[31mred\x1b[0m.ipynb").write_bytes(b"{}")
    notebook(place("hidden\u202egnp"), SETUP, SHARES["right"])
    notebook(place("=cmd", "=1+1.ipynb"), SETUP, SHARES["right"])
    if sys.platform != "win32":
        os.mkfifo(place("pipe"))
        place("zero").symlink_to("/dev/zero")
        # What a Korean Windows' ZIP becomes on Linux.
        korean = os.fsdecode(b"\xb1\xe8\xc3\xb6\xbc\xf6")
        notebook(place(korean, os.fsdecode(b"\xb0\xfa\xc1\xa600.ipynb")), SETUP, SHARES["right"])
        (folder / "ann" / f"{korean}.py").write_text("x = 1", encoding="utf-8")
        (folder / "ann" / f"{korean}.txt").write_text("x", encoding="utf-8")
        notebook(folder / "ann" / f"{korean}.ipynb", SETUP, SHARES["wrong"], "1")
        students.append("ann")
    return folder, sorted(escape_name(student) for student in students)


def test_no_odd_file_costs_others_a_grade_or_forges_a_line(odd_class, tmp_path, capsys) -> None:
    folder, students = odd_class
    files = {"csv": tmp_path / "grades.csv", "page": tmp_path / "class.html"}
    assert grade_folder(folder, Judge(), (), arguments(**files)) == 1
    out, err = capsys.readouterr()
    lines = out.split("\n")
    assert all(escape_name(line) == line for line in [*lines, *err.split("\n")])
    assert err.startswith("No notebooks, left out: linked (a link to a folder)")
    rows = [line for line in lines[1 : lines.index("")] if not line.startswith(" ")]
    assert len(rows) == len(students)
    assert not any(line.startswith("zz_eve") for line in lines)
    marks = {row.split()[0]: row.split()[-1] for row in rows}
    assert (marks["ann"], marks["bob"]) == ("✓" if sys.platform == "win32" else "✗", "✗")
    assert "class.html" in lines[-2]
    assert grade_folder(folder, Judge(), (), arguments(json=True)) == 1
    result = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    table_ = list(csv.DictReader(io.StringIO(files["csv"].read_text(encoding="utf-8-sig"))))
    assert [one["student"] for one in result] == students
    assert [one["student"].removeprefix("'") for one in table_] == students
    for one, cells in zip(result, table_, strict=True):
        name = one["notebook"].rpartition("/")[2]
        assert name == escape_name(name) == cells["notebook"].removeprefix("'")
        if "error" in one:
            assert one["error"] == cells["notes"] and cells["00 shares"] == ""
            assert not re.search("too|class", one["error"])  # nobody else's name
        else:
            assert one["exercises"][0]["state"] == cells["00 shares"]
    errors = {one["student"]: one.get("error") for one in result}
    assert errors["empty"] == errors["empty too"] == "is empty"
    assert errors["page"] == "is a web page: download the raw file"
    assert "folder" in errors["folder"]
    page = files["page"].read_text(encoding="utf-8")
    failed = sum(error is not None for error in errors.values())
    assert f"{failed} notebooks could not be graded" in page


def test_notes_are_few_and_short_everywhere(tmp_path: Path) -> None:
    report = Report("a.ipynb", [row("shares", "right")], limit_notes(["\U0010ffff" * 1000] * 3000))
    cache = ReportCache(tmp_path)
    cache.write("key", report)
    assert cache.read("key", Path("a.ipynb")) == report
    files = [Path(f"{n}.ipynb") for n in range(500)]
    submissions = [Submission(path, "ann" * 50, digest=b"", report=report) for path in files]
    note_duplicates(submissions)
    assert max(len(note) for one in submissions for note in one.notes) < 500
    lines = table(submissions[:1]).split("\n")
    assert len(lines) < 30 and max(map(len, lines)) < 500
    assert lines[-1].endswith("and 2,980 more notes")
    rows = list(csv.reader(io.StringIO(as_csv(submissions[:2]))))  # refuses 131,072 letters
    assert max(len(cell) for cells in rows for cell in cells) < 32_767  # of a spreadsheet


def test_what_one_notebook_does_to_its_grader_costs_no_other(handed_in: Path) -> None:
    def judge(path: Path, alone: bool) -> Report:
        if "bob" in str(path):
            raise RecursionError(f"{path} is what nobody\nforesaw: {path}")
        return Judge()(path, alone)

    result = {one.student: one for one in graded(handed_in, judge)}
    assert result["bob"].problem == "is what nobody foresaw: the notebook"  # another has its bytes
    assert result["ann"].report.num_right == 1


def test_the_table_has_a_line_for_every_notebook_whatever_it_is(handed_in: Path) -> None:
    submissions = graded(handed_in, Judge())
    shutil.rmtree(handed_in)  # nothing is read again
    note_duplicates(submissions)
    assert table(submissions).splitlines() == [
        "student                      chapter  right  exercises, in the order of the chapter",
        "ann                          00         1/1  ✓",
        "bob                          00         0/1  ✗",
        "    note: the same file as that of carol",
        "carol                        00         0/1  ✗",
        "    note: the same file as that of bob",
        "    note: carol handed 00 in again: 00.ipynb",
        "carol                        00         0/1  ○",
        "    note: carol handed 00 in again: 00.ipynb",
        "dora                         00         0/1  ○",
        "essay                        -        not graded: essay.ipynb holds no exercise of this"
        " book (a cell with @exercise)",
    ]


def test_a_long_korean_name_keeps_the_columns_in_line() -> None:
    report = Report("a.ipynb", [row("shares", "right")])
    names = ("김" * 40, "x" * 60, "ann", "हिन्दी")
    lines = table([Submission(Path("a.ipynb"), name, report=report) for name in names]).split("\n")
    assert lines[1] == "김" * 13 + "…" + "  00         1/1  ✓"
    assert lines[2].startswith("x" * 27 + "… 00 ")
    assert lines[4].startswith("हिन्दी" + " " * 24 + " 00 ")  # in four cells


def test_the_csv_has_a_column_for_each_exercise_and_no_formula() -> None:
    some = Report("a.ipynb", [row("shares", "right")], missing=["shares"])
    submissions = [
        Submission(Path("a.ipynb"), "=HYPERLINK(1)", report=some, notes=["one"]),
        Submission(Path("b.ipynb"), "bob", problem="is not a notebook"),
    ]
    head, first, second = csv.reader(io.StringIO(as_csv(submissions)))
    names = list(names_by_chapter()["00"])
    columns, blank = [f"00 {name}" for name in names], [""] * len(names)
    assert head == ["student", "notebook", "right", "of", *columns, "notes"]
    notes = "one; no cell of the notebook holds shares"
    states = ["right" if name == "shares" else "" for name in names]
    assert first == ["'=HYPERLINK(1)", "a.ipynb", "1", "1", *states, notes]
    assert second == ["bob", "b.ipynb", "", "", *blank, "is not a notebook"]
    for formula in ("+1", "-1", "@a", "\t=1", "\n", "＝1"):
        table_ = io.StringIO(as_csv([Submission(Path("a"), formula, problem="x")]), newline="")
        assert list(csv.reader(table_))[1][0] == f"'{formula}"


def test_mistakes_that_differ_in_numbers_alone_are_one() -> None:
    texts = ["The padding gets 0.07", "The padding gets 1e-3", "Sum first"]
    rows = [row("attend", "wrong", text) for text in texts]
    rows += [row("attend", "wrong", rule="it runs"), row("attend", "right", "not this")]
    assert mistakes(rows) == [("The padding gets 0.07", 2), ("Sum first", 1), ("it runs", 1)]


def test_the_page_names_mistakes_and_nobody_and_needs_no_other_file(handed_in: Path) -> None:
    submissions = graded(handed_in, Judge())
    submissions[0].report.exercises[0].update(state="wrong", diagnosis="<script>alert('{{body}}')")
    page = class_page(submissions)
    assert "<b>2 ×</b> The largest share is 1" in page and "○ 2 not attempted" in page
    assert "&lt;script&gt;" in page and "<script" not in page
    assert not re.search(r"ann|bob|carol|dora|http|src=|url\(", page)
    assert re.findall("<h([1-6])", page) == ["1", "2", "3"]


def arguments(**options: Any) -> argparse.Namespace:
    usual: dict[str, Any] = {"jobs": 2, "json": False, "csv": None, "page": None}
    return argparse.Namespace(**usual | options)


def test_a_folder_gives_a_table_a_csv_and_a_page(handed_in: Path, tmp_path: Path, capsys) -> None:
    files = {"csv": tmp_path / "grades.csv", "page": tmp_path / "class.html"}
    assert grade_folder(handed_in, Judge(), (), arguments(**files)) == 1  # the essay
    out, err = capsys.readouterr()
    assert "5 of 6 notebooks are graded. Fewest got shares right: 1 of 5." in out
    assert err == "No notebooks, left out: eve/notes.zip, finn (an empty folder).\n"
    assert files["csv"].read_bytes().startswith(b"\xef\xbb\xbfstudent,")


@pytest.mark.parametrize("name", ["ann/00.ipynb", "ann", os.devnull, "ann/00.ipynb/class.html"])
def test_where_results_cannot_be_written_is_reported_before_any_grading(name, handed_in) -> None:
    judge, before = Judge(), (handed_in / "ann" / "00.ipynb").read_bytes()
    with pytest.raises(ValueError, match=r"would be overwritten: name a new file|cannot write"):
        grade_folder(handed_in, judge, (), arguments(csv=handed_in / name))
    assert judge.given == [] and (handed_in / "ann" / "00.ipynb").read_bytes() == before


def test_a_disk_that_is_full_costs_no_result(handed_in: Path, capsys: Any) -> None:
    """What cannot be kept is told, and the table printed before the files are written."""
    cache, away = handed_in / CACHE_FOLDER, handed_in.parent / "away"

    def judge(path: Path, alone: bool) -> Report:
        for folder in (cache, away):
            shutil.rmtree(folder, ignore_errors=True)
            folder.write_bytes(b"")  # no folder any more
        return Report(str(path), [row("shares", "right")])

    with pytest.raises(ValueError, match="cannot write"):
        grade_folder(handed_in, judge, (), arguments(csv=away / "grades.csv", jobs=1))
    out, err = capsys.readouterr()
    assert "6 of 6 notebooks are graded" in out and "Not all results were kept: cannot write" in err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["{0}", "x.ipynb"], "name one folder, or notebooks"),
        (["x.ipynb", "--csv", "x.csv"], "--csv is for the folder of a class"),
        (["x.ipynb", "--answers-only"], "--answers-only is for the folder of a class"),
        (["{0}", "--jobs", "0"], "--jobs must be a whole number of at least 1, got 0"),
        (["x.ipynb", "--minutes", "0"], "--minutes: must be a number larger than 0, got '0'"),
        (["x.ipynb", "--minuets", "1"], "grade knows no --minuets"),
    ],
)
def test_a_usage_error_is_one_sentence(options: list[str], message: str, tmp_path, capsys) -> None:
    assert main(["grade", *(option.format(tmp_path) for option in options)]) in (1, 2)
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


SLEEPS = "import time\ntime.sleep(900)"


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_ctrl_c_strikes_where_nothing_is_held(handed_in: Path, name: str) -> None:
    """Not in the midst of what this thread does: a lock could stay taken."""
    number = getattr(signal, name, signal.SIGINT)  # Windows has no SIGHUP
    submissions, _ = find_submissions(handed_in)
    came, judged, before = [], [], signal.getsignal(number)

    def judge(path: Path, alone: bool) -> Report:
        judged.append(path)
        if len(judged) > 1:  # the second runs on
            assert stopped.wait(20), "nobody was told to stop"
            raise KeyboardInterrupt
        return Report(str(path))

    with pytest.raises(KeyboardInterrupt):
        for one in grade_all(submissions, judge, ReportCache(handed_in / CACHE_FOLDER), (), 1):
            came.append(one)
            signal.raise_signal(number)
            came.append("to its end")
    assert came == [submissions[0], "to its end"]
    assert not stopped.is_set() and signal.getsignal(number) is before


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_ctrl_c_keeps_what_is_graded_ends_all_processes_and_is_resumed(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    notebook(folder / "ann" / "00.ipynb", SETUP, SHARES["right"])
    notebook(folder / "zoe" / "00.ipynb", SETUP, SHARES["wrong"], SLEEPS)
    command = [sys.executable, "-m", "attnlib", "grade", str(folder), "--jobs", "2"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, **pipes, env={**os.environ, "TMPDIR": str(tmp_path)})
    deadline = time.monotonic() + 120
    while not list((folder / CACHE_FOLDER).glob("*.json")) and time.monotonic() < deadline:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    expected = "attnlib: stopped: 1 of 2 notebooks are graded, and the same command goes on"
    assert err.splitlines()[-1] == expected
    assert not list(tmp_path.glob("tmp*"))  # what processes leave behind while they run
    again = subprocess.run([*command, "--answers-only"], capture_output=True, encoding="utf-8")
    assert "2 of 2 notebooks are graded. Fewest got shares right: 1 of 2." in again.stdout
    assert "zoe                          00         0/1  ✗" in again.stdout
