"""Wrong answers as learners write them: each hears the diagnosis that is meant for it."""

import re

import pytest
from answering import EXERCISES, Answer, all_answers, quick
from programs import ROOT

from attnbook.exercises.engine import find
from attnbook.exercises.judge import WRONG, judge
from attnbook.exercises.show import Feedback

ANSWERS = [answer for answer in all_answers() if answer.diagnosis]


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer.exercise)
def test_a_wrong_answer_hears_its_diagnosis(answer: Answer) -> None:
    verdict = judge(quick(answer.exercise), answer.function)
    assert verdict.state == WRONG
    assert answer.diagnosis in verdict.diagnosis, verdict.diagnosis


def test_every_exercise_has_four_wrong_answers_that_are_told_apart() -> None:
    for check in EXERCISES:
        told = [a.diagnosis for a in ANSWERS if a.exercise == check.name]
        assert len(told) >= 4, check.name
        assert len(set(told)) >= 3, f"{check.name}: one sentence for everything diagnoses nothing"
        assert all(len(diagnosis) >= 8 for diagnosis in told), check.name


def test_the_readme_shows_what_a_verdict_says_today() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    source, shown = re.findall(r"```(?:python|text)\n(.*?)```", readme, re.DOTALL)
    names = {"exercise": lambda function: function}
    exec(source, names)
    lines = repr(Feedback(judge(find("safe_softmax"), names["safe_softmax"]))).splitlines()
    assert " ".join(shown.split()) == " ".join(" ".join(lines[:-1]).split())
