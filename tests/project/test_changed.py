"""What `make changed` runs for a change, and what it prints where it knows no test of one."""

import subprocess
from pathlib import Path

import pytest
from programs import load

program = load(Path(__file__).parents[1] / "changed.py")


def test_a_module_selects_its_doctests_and_the_tests_that_import_it() -> None:
    run, exercises, untested = program.chosen(["attnlib/search/beam.py"])
    assert {"attnlib/search/beam.py", "tests/library/test_search.py"} <= {*run}
    assert "tests/library/test_bleu.py" not in run and exercises == untested == []


def test_a_check_or_an_answer_selects_the_answers_to_its_exercise_alone() -> None:
    check = "attnbook/checks/ch05b/additive_score.py"
    answer = "tests/exercises/answers/ch00/shares.py"
    assert program.chosen([check, answer]) == ([], ["additive_score", "shares"], [])


def test_a_new_line_of_blind_answers_selects_the_answers_to_its_exercise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = '+++ b/x\n-{"exercise": "old", ...\n+{"exercise": "shares", "set": ...'
    monkeypatch.setattr(subprocess, "check_output", lambda *given, **more: lines)
    found = program.chosen(["tests/exercises/blind/answers.jsonl"])
    assert found == (["tests/exercises/test_blind_answers.py"], ["shares"], [])


@pytest.mark.parametrize("shared", ["attention", "rules"])
def test_what_checks_share_selects_the_answers_to_all_exercises_that_use_it(shared: str) -> None:
    found = program.chosen([f"attnbook/checks/{shared}.py"])
    line = f"from attnbook.checks.{shared} import"
    checks = (program.ROOT / "attnbook" / "checks").glob("ch*/*.py")
    using = {path.stem for path in checks if line in path.read_text(encoding="utf-8")}
    assert using <= {*found.exercises} and found.untested == [] and len(using) > 5


@pytest.mark.parametrize("name", ["chapters/source/00_start.py", "chapters/00_start.ipynb"])
def test_a_chapter_selects_what_is_tested_without_executing_it(name: str) -> None:
    run, exercises, untested = program.chosen([name])
    assert {"tests/book/test_notebooks.py", "tests/book/test_numbers.py"} <= {*run}
    assert exercises == untested == [] and all((program.ROOT / file).is_file() for file in run)


#: Of these no test is known, or they are gone.
UNTESTED = [
    "attnlib/gone.py",
    "attnbook/checks/ch05/__init__.py",
    "tests/exercises/answering.py",
    "studies/runner.py",
    "attnlib/translator/page/assets/search.js",
    "Makefile",
]


def test_a_file_without_a_known_test_is_named_and_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(subprocess, "call", lambda *given, **more: 0)
    for name in UNTESTED:
        assert program.chosen([name]) == ([], [], [name])
    monkeypatch.setattr("sys.argv", ["changed.py", "attnlib/search/beam.py", *UNTESTED])
    assert program.main() == 1
    assert f"NOT TESTED, because make changed knows no test of it: {', '.join(UNTESTED)}." in (
        capsys.readouterr().out
    )
    monkeypatch.setattr("sys.argv", ["changed.py", "attnlib/search/beam.py", "README.md"])
    assert program.main() == 0 and "NOT TESTED" not in capsys.readouterr().out


def test_a_thorough_test_runs_only_where_it_is_what_changed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    runs: list[list[str]] = []
    monkeypatch.setattr(subprocess, "call", lambda run, **more: runs.append(run) or 5)
    changed = ["tests/library/test_distributed.py", "attnlib/search/beam.py"]
    monkeypatch.setattr("sys.argv", ["changed.py", *changed])
    assert program.main() == 0  # pytest's 5: it found nothing but thorough tests
    (itself, others) = (run[run.index("loadscope") + 1 :] for run in runs)
    assert itself == sorted(changed)
    assert others[:2] == ["-m", "not thorough"] and "tests/library/test_search.py" in others
