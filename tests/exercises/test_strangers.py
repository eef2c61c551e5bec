"""Answers that strangers wrote from the statements alone: none that is wrong passes, none that is
right is refused, and every verdict says something.

Whether a diagnosis names the cause is for people to judge: ``strangers/README.md`` has the count.
"""

from functools import cache

import pytest
from answering import Answer, quick, strangers

from attnbook.exercises.judge import RIGHT, WRONG, Verdict, judge

NAMES = sorted({answer.exercise for answer in strangers()})


@cache
def judged(name: str) -> list[tuple[Answer, Verdict]]:
    """Each answer to an exercise with its verdict."""
    return [(a, judge(quick(name), a.function)) for a in strangers() if a.exercise == name]


@pytest.mark.parametrize("name", NAMES)
def test_no_wrong_answer_of_a_stranger_is_accepted(name: str) -> None:
    passed = [a.diagnosis for a, v in judged(name) if a.diagnosis and v.state != WRONG]
    assert passed == []


@pytest.mark.parametrize("name", NAMES)
def test_every_wrong_answer_of_a_stranger_is_told_something(name: str) -> None:
    wrong = [(a.diagnosis, v) for a, v in judged(name) if v.state == WRONG]
    silent = [why for why, verdict in wrong if len(verdict.diagnosis) < 8]
    assert silent == []


@pytest.mark.parametrize("name", NAMES)
def test_no_right_answer_of_a_stranger_is_refused(name: str) -> None:
    refused = [v.diagnosis for a, v in judged(name) if not a.diagnosis and v.state != RIGHT]
    assert refused == []
