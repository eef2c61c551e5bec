"""The mistakes that the checks know: each is one, and hears its own sentence.

The diagnosis is looked up in the very list that is tested, so this sees that a mistake is one, that
none shadows another and that their order is right; whether a sentence is true, it does not see.
"""

import inspect

import pytest
from answering import EXERCISES, written

from attnbook.exercises import Exercise
from attnbook.exercises.judge import WRONG, judge

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("check", EXERCISES, ids=lambda check: check.name)
def test_every_known_mistake_is_a_mistake(check: Exercise) -> None:
    for text, function in check.known_mistakes():
        names = ", ".join(inspect.signature(check.reference).parameters)
        code = f"def {check.name}({names}):\n    return wrong(**locals())"
        verdict = judge(check, written(code, wrong=function))
        assert verdict.state == WRONG, text
        assert verdict.diagnosis == text
