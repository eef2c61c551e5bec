"""What `make quick` runs for a change."""

from pathlib import Path

from programs import load

quick = load(Path(__file__).parents[1] / "quick.py")


def test_a_module_of_the_library_brings_its_doctests_and_the_tests_that_import_it() -> None:
    files, exercises = quick.chosen(["attnlib/search/beam.py"])
    assert {"attnlib/search/beam.py", "tests/library/test_search.py"} <= {*files}
    assert "tests/library/test_bleu.py" not in files and exercises == []


def test_a_check_or_an_answer_brings_the_answers_to_its_exercise_and_nothing_else() -> None:
    check = "attnbook/checks/ch05b/additive_score.py"
    answer = "tests/exercises/answers/ch00/shares.py"
    assert quick.chosen([check, answer]) == ([], ["additive_score", "shares"])


def test_a_file_that_is_gone_or_no_code_brings_nothing() -> None:
    assert quick.chosen(["attnlib/gone.py", "README.md"]) == ([], [])
