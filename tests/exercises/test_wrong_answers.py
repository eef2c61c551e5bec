"""Wrong answers as learners write them: each hears the diagnosis that is meant for it."""

import ast
import re
from collections import Counter

import numpy as np
import pytest
import torch
from answering import EXERCISES, Answer, BlindAnswer, all_answers, blind_answers, quick, sampled
from programs import ROOT

from attnbook.exercises.engine import ExerciseDecorator, find
from attnbook.exercises.judge import WRONG, Verdict, judge
from attnbook.exercises.show import Feedback

ANSWERS = sorted(
    (answer for answer in (*all_answers(), *blind_answers()) if answer.says),
    key=lambda answer: answer.exercise,
)


@pytest.mark.parametrize("answer", sampled(ANSWERS, every=4))  # about one an exercise
def test_a_wrong_answer_gets_its_diagnosis(answer: Answer | BlindAnswer) -> None:
    verdict = judge(quick(answer.exercise), answer.function)
    assert verdict.state == WRONG
    assert answer.says in verdict.diagnosis, verdict.diagnosis
    check_what_is_shown(answer, verdict)


def check_what_is_shown(answer: Answer | BlindAnswer, verdict: Verdict) -> None:
    """Eight lines at most, the diagnosis first, and the input as Python that can be run."""
    title, first, *lines = repr(Feedback(verdict)).splitlines()
    assert (title, first.strip()) == (f"✗ {answer.exercise}: wrong", verdict.diagnosis)
    assert len(lines) <= 6 and max(len(verdict.expected), len(verdict.got)) <= 200
    if not verdict.failing:
        return
    (statements,) = [x for x in lines if x.startswith("  for: ")]
    assert len(statements) < 600
    exercise = ExerciseDecorator()
    exercise._mine, exercise._failing = answer.function, verdict.failing
    names = {"torch": torch, "np": np, "Counter": Counter, "exercise": exercise}
    exec(statements.removeprefix("  for: "), names)
    for name, value in exercise.failing.items():
        if isinstance(value, torch.Tensor):
            assert torch.allclose(names[name].double(), value.double(), rtol=1e-3), name
            assert names[name].dtype == value.dtype
        elif not callable(value):
            assert type(names[name]) is type(value), name


def test_every_exercise_has_four_wrong_answers_that_are_reported_apart() -> None:
    for check in EXERCISES:
        texts = [answer.says for answer in ANSWERS if answer.exercise == check.name]
        assert len(texts) >= 4, check.name
        assert len(set(texts)) >= 3, f"{check.name}: one sentence for everything diagnoses nothing"
        assert all(len(text) >= 8 for text in texts), check.name


def test_every_blind_answer_is_one_to_an_exercise_and_stands_there_once() -> None:
    seen = set()
    for answer in blind_answers():
        assert answer.right or answer.why, "what is wrong with it?"
        same = (answer.exercise, ast.dump(ast.parse(answer.source)))
        assert same not in seen, answer.key
        seen.add(same)
    assert {name for name, _ in seen} == {check.name for check in EXERCISES}


def test_the_readme_shows_a_verdict_of_today() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    source, shown = re.findall(r"```(?:python|text)\n(.*?)```", readme, re.DOTALL)
    names = {"exercise": lambda function: function}
    exec(source, names)
    lines = repr(Feedback(judge(find("safe_softmax"), names["safe_softmax"]))).splitlines()
    assert " ".join(shown.split()) == " ".join(" ".join(lines[:-1]).split())
