"""Wrong answers as learners write them: each hears the diagnosis that is meant for it."""

import ast
import json
import re
from collections import Counter

import numpy as np
import pytest
import torch
from answering import (
    EXERCISES,
    Answer,
    BlindAnswer,
    all_answers,
    blind_answers,
    file_of_answers,
    quick,
    sampled,
)
from programs import ROOT

from attnbook.exercises import Exercise
from attnbook.exercises.engine import ExerciseDecorator, find
from attnbook.exercises.judge import WRONG, Verdict, judge
from attnbook.exercises.show import Feedback

ANSWERS = sorted(
    (answer for answer in (*all_answers(), *blind_answers()) if answer.says),
    key=lambda answer: answer.exercise,
)

#: The exercises that have answers of those who had not seen the checks.
BLIND = {answer.exercise for answer in blind_answers()}


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


@pytest.mark.parametrize("check", EXERCISES, ids=lambda check: check.name)
def test_every_exercise_has_four_wrong_answers_that_are_reported_apart(check: Exercise) -> None:
    texts = [answer.says for answer in ANSWERS if answer.exercise == check.name]
    file = file_of_answers(check)
    assert len(texts) >= 4, f"{len(texts)} wrong answers, 4 are needed: add @wrong(...) to {file}"
    assert len(set(texts)) >= 3, f"{check.name}: one sentence for everything diagnoses nothing"
    short = [text for text in texts if len(text) < 8]
    assert not short, (
        f"less than 8 letters of the diagnosis: write more of it than {short} in {file}"
    )


def test_every_blind_answer_is_one_to_an_exercise_and_stands_there_once() -> None:
    seen = set()
    for answer in blind_answers():
        assert answer.right or answer.why, "what is wrong with it?"
        same = (answer.exercise, ast.dump(ast.parse(answer.source)))
        assert same not in seen, answer.key
        seen.add(same)
    assert {name for name, _ in seen} <= {check.name for check in EXERCISES}


@pytest.mark.parametrize("check", EXERCISES, ids=lambda check: check.name)
def test_every_exercise_has_a_blind_answer(check: Exercise) -> None:
    form = {"exercise": check.name, "set": "contributed", "right": False}
    form |= {"why": "what is wrong", "source": f"def {check.name}(...):\n    ..."}
    assert check.name in BLIND, (
        "tests/exercises/blind/answers.jsonl needs a line of this form, by someone who has not "
        f"seen the check: {json.dumps(form)}"
    )


def test_the_readme_shows_a_verdict_of_today() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    source, shown = re.findall(r"```(?:python|text)\n(.*?)```", readme, re.DOTALL)
    names = {"exercise": lambda function: function}
    exec(source, names)
    lines = repr(Feedback(judge(find("safe_softmax"), names["safe_softmax"]))).splitlines()
    assert " ".join(shown.split()) == " ".join(" ".join(lines[:-1]).split())
