"""What `make quick` runs for a change, and what it says of a change that it knows no test of."""

import subprocess
from pathlib import Path

import pytest
from programs import load

quick = load(Path(__file__).parents[1] / "quick.py")


def test_a_module_selects_its_doctests_and_the_tests_that_import_it() -> None:
    run, exercises, untried = quick.chosen(["attnlib/search/beam.py"])
    assert {"attnlib/search/beam.py", "tests/library/test_search.py"} <= {*run}
    assert "tests/library/test_bleu.py" not in run and exercises == untried == []


def test_a_check_or_an_answer_selects_the_answers_to_its_exercise_alone() -> None:
    check = "attnbook/checks/ch05b/additive_score.py"
    answer = "tests/exercises/answers/ch00/shares.py"
    assert quick.chosen([check, answer]) == ([], ["additive_score", "shares"], [])


def test_a_new_line_of_blind_answers_selects_the_answers_to_its_exercise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = '+++ b/x\n-{"exercise": "old", ...\n+{"exercise": "pad", "set": ...'
    monkeypatch.setattr(subprocess, "check_output", lambda *given, **more: lines)
    found = quick.chosen(["tests/exercises/blind/answers.jsonl"])
    assert found == (["tests/exercises/test_blind_answers.py"], ["pad"], [])


@pytest.mark.parametrize("shared", ["attention", "rules"])
def test_what_checks_share_selects_the_answers_to_all_exercises_that_use_it(shared: str) -> None:
    found = quick.chosen([f"attnbook/checks/{shared}.py"])
    line = f"from attnbook.checks.{shared} import"
    checks = (quick.ROOT / "attnbook" / "checks").glob("ch*/*.py")
    using = {path.stem for path in checks if line in path.read_text(encoding="utf-8")}
    assert using <= {*found.exercises} and found.untried == [] and len(using) > 5


#: Of these no test is known, or they are gone.
UNTRIED = [
    "attnlib/gone.py",
    "attnbook/checks/ch05/__init__.py",
    "tests/exercises/answering.py",
    "chapters/source/00_start.py",
    "studies/runner.py",
    "attnlib/translator/page/assets/search.js",
    "Makefile",
]


def test_a_file_without_a_known_test_is_named_and_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(subprocess, "call", lambda *given, **more: 0)
    for name in UNTRIED:
        assert quick.chosen([name]) == ([], [], [name])
    monkeypatch.setattr("sys.argv", ["quick.py", "attnlib/search/beam.py", *UNTRIED])
    assert quick.main() == 1
    assert f"NOT TRIED, because make quick knows no test of it: {', '.join(UNTRIED)}." in (
        capsys.readouterr().out
    )
    monkeypatch.setattr("sys.argv", ["quick.py", "attnlib/search/beam.py", "README.md"])
    assert quick.main() == 0 and "NOT TRIED" not in capsys.readouterr().out


def test_a_thorough_test_runs_only_where_it_is_what_changed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    runs: list[list[str]] = []
    monkeypatch.setattr(subprocess, "call", lambda run, **more: runs.append(run) or 5)
    changed = ["tests/library/test_distributed.py", "attnlib/search/beam.py"]
    monkeypatch.setattr("sys.argv", ["quick.py", *changed])
    assert quick.main() == 0  # pytest's 5: it found nothing but thorough tests
    (itself, others) = (run[run.index("loadscope") + 1 :] for run in runs)
    assert itself == sorted(changed)
    assert others[:2] == ["-m", "not thorough"] and "tests/library/test_search.py" in others
