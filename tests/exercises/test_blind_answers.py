"""Answers written without seeing the checks: their file, and the verdicts of a sample.

``judge_answers.py`` judges all of them (``make answers``).
"""

import ast

import pytest
from answering import EXERCISES, BlindAnswer, blind_answers, quick

from attnbook.exercises.engine import names_by_chapter
from attnbook.exercises.judge import RIGHT, WRONG, judge

SETS = ("first", "second", "third", "fourth", "fifth")


def sample(right: bool) -> list[BlindAnswer]:
    """One answer to each exercise: that of the smallest checksum, which nobody has chosen."""
    chosen: dict[str, BlindAnswer] = {}
    for answer in sorted(blind_answers(), key=lambda one: one.key, reverse=True):
        if answer.right == right:
            chosen[answer.exercise] = answer
    return list(chosen.values())


@pytest.mark.parametrize("answer", sample(right=False), ids=lambda answer: answer.key)
def test_a_wrong_answer_is_refused_with_a_diagnosis(answer: BlindAnswer) -> None:
    verdict = judge(quick(answer.exercise), answer.function)
    assert verdict.state == WRONG and len(verdict.diagnosis) >= 8, answer.why


@pytest.mark.parametrize("answer", sample(right=True), ids=lambda answer: answer.key)
def test_a_right_answer_is_accepted(answer: BlindAnswer) -> None:
    verdict = judge(quick(answer.exercise), answer.function)
    assert verdict.state == RIGHT, verdict.diagnosis


def test_every_line_of_the_file_is_an_answer_to_an_exercise_and_stands_there_once() -> None:
    order = [name for names in names_by_chapter().values() for name in names]
    seen = set()
    for answer in blind_answers():
        assert answer.exercise in order and answer.set in SETS
        assert answer.right or answer.why, "what is wrong with it?"
        same = (answer.exercise, ast.dump(ast.parse(answer.source)))
        assert same not in seen, answer.key
        seen.add(same)
    assert {name for name, _ in seen} == {check.name for check in EXERCISES}
