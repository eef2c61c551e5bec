"""Answers written without seeing the checks: their file, and the verdicts of a sample.

``judge_answers.py`` judges all of them (``make answers``).
"""

import ast

import pytest
from answering import EXERCISES, BlindAnswer, blind_answers, one_each, quick

from attnbook.exercises.judge import WRONG, judge

SETS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


WRONG_ANSWERS = [answer for answer in blind_answers() if not answer.right]


@pytest.mark.parametrize("answer", one_each(WRONG_ANSWERS), ids=lambda answer: answer.exercise)
def test_a_wrong_answer_is_refused_with_a_diagnosis(answer: BlindAnswer) -> None:
    verdict = judge(quick(answer.exercise), answer.function)
    assert verdict.state == WRONG and len(verdict.diagnosis) >= 8, answer.why


def test_every_line_of_the_file_is_an_answer_to_an_exercise_and_stands_there_once() -> None:
    seen = set()
    for answer in blind_answers():
        assert answer.set in SETS
        assert answer.right or answer.why, "what is wrong with it?"
        same = (answer.exercise, ast.dump(ast.parse(answer.source)))
        assert same not in seen, answer.key
        seen.add(same)
    assert {name for name, _ in seen} == {check.name for check in EXERCISES}
