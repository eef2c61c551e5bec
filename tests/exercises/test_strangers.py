"""Answers that strangers wrote from the statements alone: none that is wrong passes, none that is
right is refused, and every verdict says something.

Whether a diagnosis names the cause is for people to judge: ``strangers/README.md`` has the count.
"""

import pytest
from answering import Answer, strangers

from attnbook.exercises.engine import find
from attnbook.exercises.judge import RIGHT, WRONG, judge

NAMES = sorted({answer.exercise for answer in strangers()})


def judged(name: str, wrong: bool) -> list[tuple[Answer, str, str]]:
    """Each wrong (or right) answer to an exercise, with its state and its diagnosis."""
    chosen = [a for a in strangers() if a.exercise == name and (a.diagnosis is not None) == wrong]
    verdicts = [(answer, judge(find(name), answer.function)) for answer in chosen]
    return [(answer, v.state, v.diagnosis) for answer, v in verdicts]


@pytest.mark.parametrize("name", NAMES)
def test_no_wrong_answer_of_a_stranger_is_accepted(name: str) -> None:
    passed = [a.diagnosis for a, state, told in judged(name, wrong=True) if state != WRONG]
    assert passed == []


@pytest.mark.parametrize("name", NAMES)
def test_every_wrong_answer_of_a_stranger_is_told_something(name: str) -> None:
    silent = [a.diagnosis for a, _, told in judged(name, wrong=True) if len(told) < 8]
    assert silent == []


@pytest.mark.parametrize("name", NAMES)
def test_no_right_answer_of_a_stranger_is_refused(name: str) -> None:
    refused = [told for _, state, told in judged(name, wrong=False) if state != RIGHT]
    assert refused == []
