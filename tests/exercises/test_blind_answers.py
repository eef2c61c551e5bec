"""Answers written without seeing the checks: their file, and the verdicts of a sample.

``judge_answers.py`` judges all of them (``make answers``).
"""

import ast

import pytest
from answering import EXERCISES, BlindAnswer, blind_answers, quick

from attnbook.exercises.engine import names_by_chapter
from attnbook.exercises.judge import WRONG, judge

SETS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def sample() -> list[BlindAnswer]:
    """One wrong answer to each exercise: that of the smallest checksum, so that nobody chooses."""
    wrong = [answer for answer in blind_answers() if not answer.right]
    ordered = sorted(wrong, key=lambda one: one.key[-8:], reverse=True)
    return list({one.exercise: one for one in ordered}.values())


@pytest.mark.parametrize("answer", sample(), ids=lambda answer: answer.exercise)
def test_a_wrong_answer_is_refused_with_a_diagnosis(answer: BlindAnswer) -> None:
    verdict = judge(quick(answer.exercise), answer.function)
    assert verdict.state == WRONG and len(verdict.diagnosis) >= 8, answer.why


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
