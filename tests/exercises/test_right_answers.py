"""Right answers: the book's own functions, and others in another style."""

import inspect

import pytest
from answering import EXERCISES, Answer, all_answers, sampled, written

from attnbook.exercises import Exercise
from attnbook.exercises.engine import find
from attnbook.exercises.judge import RIGHT, judge

ANSWERS = [answer for answer in all_answers() if not answer.diagnosis]


@pytest.mark.parametrize("check", EXERCISES, ids=lambda check: check.name)
def test_the_reference_is_right(check: Exercise) -> None:
    names = list(inspect.signature(check.reference).parameters)
    given = ", ".join(names)
    function = written(f"def {check.name}({given}):\n    return ref({given})", ref=check.reference)
    verdict = judge(check, function)
    assert (verdict.state, verdict.diagnosis) == (RIGHT, "")
    assert verdict.inputs >= 2, "one input proves little"


@pytest.mark.parametrize("answer", sampled(ANSWERS))
def test_a_right_answer_in_another_style_is_right(answer: Answer) -> None:
    verdict = judge(find(answer.exercise), answer.function)
    assert (verdict.state, verdict.diagnosis) == (RIGHT, "")
