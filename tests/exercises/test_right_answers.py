"""Right answers: the book's own functions, and a few in another style (all: ``make answers``)."""

import inspect

import pytest
from answering import (
    EXERCISES,
    Answer,
    BlindAnswer,
    all_answers,
    blind_answers,
    file_of_answers,
    written,
)

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


@pytest.mark.parametrize("check", EXERCISES, ids=lambda check: check.name)
def test_every_exercise_has_two_right_answers_in_another_style(check: Exercise) -> None:
    count = sum(answer.exercise == check.name for answer in ANSWERS)
    assert count >= 2, (
        f"{count} right answers, 2 are needed: add @right to {file_of_answers(check)}"
    )
