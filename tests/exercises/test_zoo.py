"""Answers that do harm: every exercise survives them, has something to say, and keeps no trace."""

import inspect
import os
import random
import sys
import warnings

import numpy as np
import pytest
import torch
from answering import EXERCISES, written

from attnbook.exercises import Exercise
from attnbook.exercises.guard import run_guarded
from attnbook.exercises.judge import WRONG, judge
from attnbook.exercises.show import Feedback

ZOO = {
    "returns nothing": "x = {args}",
    "returns a string": "return 'seven'",
    "returns an endless generator": "return (i for i in iter(int, 1))",
    "returns NaN": "return torch.tensor(float('nan'))",
    "returns its arguments": "return ({args},)",
    "returns what breaks when shown": (
        "class Broken:\n        def __repr__(self): raise ValueError('no')\n"
        "        def __eq__(self, other): raise ValueError('no')\n"
        "        __hash__ = None\n    return Broken()"
    ),
    "raises": "raise ValueError('a sentence')",
    "raises what cannot be shown": (
        "class Broken(Exception):\n        def __str__(self): raise ValueError('no')\n"
        "    raise Broken()"
    ),
    "leaves": "raise SystemExit(3)",
    "interrupts": "raise KeyboardInterrupt",
    "calls itself for ever": "return {name}({args})",
    "asks": "return input('your turn: ')",
    "prints a flood": "for i in range(3000):\n        print(i)\n    return None",
    "changes the world": (
        "torch.set_default_dtype(torch.float64); torch.manual_seed(9)\n"
        "    import warnings, sys, random, os\n"
        "    warnings.simplefilter('error'); sys.setrecursionlimit(9999); random.seed(3)\n"
        "    os.chdir('/'); sys.stdout = None; torch.set_num_threads(3)\n    return None"
    ),
    "zeroes its arguments": (
        "for x in ({args},):\n        if isinstance(x, torch.Tensor):\n            x.data.zero_()\n"
        "    return {args}"
    ),
    "has other arguments": None,
    "is a lambda": None,
}


#: What the learner must be told, whatever the exercise.
SAID = {
    "returns nothing": "The function returned nothing, None",
    "raises": "It raises ValueError: a sentence (line 2 of the cell's function)",
    "raises what cannot be shown": "It raises Broken (line 4 of the cell's function)",
    "leaves": "It leaves Python with exit() or os._exit() (line 2 of the cell's function)",
    "interrupts": "It raises KeyboardInterrupt (line 2 of the cell's function)",
    "calls itself for ever": "Which case returns without doing so?",
    "has other arguments": "your function has (a_, b_, c_, d_, e_, f_, g_). Keep the def.",
    "is a lambda": "",
}


def garbage(kind: str, check: Exercise):
    arguments = ", ".join(inspect.signature(check.reference).parameters)
    if kind == "is a lambda":
        return lambda **arguments: 3
    if kind == "has other arguments":
        return written(f"def {check.name}(a_, b_, c_, d_, e_, f_, g_):\n    return a_")
    body = ZOO[kind].format(args=arguments, name=check.name)  # type: ignore[union-attr]
    return written(f"def {check.name}({arguments}):\n    {body}")


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("kind", ZOO)
def test_garbage_is_survived(kind: str, every: int, capsys: pytest.CaptureFixture[str]) -> None:
    """...by every exercise, with a verdict that can be shown, and without a trace."""
    before = world()
    for check in EXERCISES[::every]:
        verdict = judge(check, garbage(kind, check))
        assert verdict.state == WRONG, (kind, check.name)
        feedback = Feedback(verdict)
        assert len(repr(feedback)) < 6000 and len(feedback._repr_html_()) < 12000
        assert SAID.get(kind, "") in verdict.diagnosis, (kind, check.name, verdict.diagnosis)
        assert verdict.diagnosis, (kind, check.name)
        assert " at 0x" not in verdict.diagnosis, "an address in memory tells nobody anything"
    assert capsys.readouterr() == ("", "")
    assert world() == before


def world() -> tuple:
    """What an answer might change for everybody."""
    return (
        torch.get_default_dtype(),
        torch.get_rng_state().tolist(),
        np.random.get_state()[1].tolist(),
        sys.getrecursionlimit(),
        os.getcwd(),
        sys.stdout,
        sys.stderr,
        sys.stdin,
        torch.get_num_threads(),
        list(warnings.filters),
    )


def test_python_random_numbers_go_on_as_if_nothing_had_run() -> None:
    before = random.getstate()  # by itself: the checks of types in these tests draw numbers too
    run_guarded(lambda: random.random(), 1.0)
    assert random.getstate() == before
