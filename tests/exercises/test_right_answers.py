"""Right answers: the book's own functions, and others in another style.

``judge_answers.py`` judges all of them (``make answers``).
"""

import inspect

import pytest
from answering import EXERCISES, Answer, BlindAnswer, all_answers, blind_answers, written

from attnbook.exercises import Exercise
from attnbook.exercises.engine import find
from attnbook.exercises.judge import RIGHT, judge

ANSWERS = [answer for answer in (*all_answers(), *blind_answers()) if answer.right]


@pytest.mark.parametrize("check", EXERCISES, ids=lambda check: check.name)
def test_the_reference_is_right(check: Exercise) -> None:
    names = list(inspect.signature(check.reference).parameters)
    given = ", ".join(names)
    function = written(f"def {check.name}({given}):\n    return ref({given})", ref=check.reference)
    verdict = judge(check, function)
    assert (verdict.state, verdict.diagnosis) == (RIGHT, "")
    assert verdict.inputs >= 2, "one input proves little"


@pytest.mark.parametrize("answer", ANSWERS[::37], ids=lambda answer: answer.exercise)
def test_a_right_answer_in_another_style_is_right(answer: Answer | BlindAnswer) -> None:
    verdict = judge(find(answer.exercise), answer.function)
    assert (verdict.state, verdict.diagnosis) == (RIGHT, "")


def test_every_exercise_has_two_right_answers_in_another_style() -> None:
    for check in EXERCISES:
        assert sum(answer.exercise == check.name for answer in ANSWERS) >= 2, check.name
