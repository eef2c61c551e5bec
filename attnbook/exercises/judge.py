"""The verdict on a learner's function: blank, wrong (why, on the smallest input) or right."""

from __future__ import annotations

import contextlib
import dis
import functools
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

import torch
from torch.utils._pytree import tree_map

from .diagnosis import known_mistake
from .guard import run_guarded
from .spec import Exercise, Function
from .trial import ALONE, GRADIENTS, RUNS, SAME, Blank, Fault, Trial, hold, listed, sentence
from .values import brought, size, tensors

BLANK, WRONG, RIGHT = "not attempted", "wrong", "right"
_EMPTY = {
    "RESUME",
    "NOP",
    "CACHE",
    "COPY_FREE_VARS",
    "LOAD_CONST",
    "POP_TOP",
    "RETURN_VALUE",
    "RETURN_CONST",
}


@dataclass
class Verdict:
    """What is shown under a cell."""

    name: str
    state: str
    rule: str = ""  # the rule that is broken
    arguments: tuple[str, ...] = ()  # the smallest input that breaks it
    expected: str = ""
    got: str = ""
    diagnosis: str = ""
    printed: str = ""  # by the learner's function
    checked: tuple[str, ...] = ()  # the rules that hold
    inputs: int = 0  # how many were tried
    replaced: bool = True  # if not right: later cells use the book's own function
    # A result of the reference, where the learner's has another type.
    kind: Any = field(default=None, repr=False)

    def answer(self, function: Function) -> Function:
        """The learner's function, its results in the kind that the rest of the chapter expects.

        Their precision is that of the call's arguments, not of the input on which it was judged.
        """
        if self.kind is None:
            return function

        @functools.wraps(function)
        def translated(*positional: Any, **named: Any) -> Any:
            precise = [x.dtype for x in tensors([positional, named]) if x.is_floating_point()]
            kind = self.kind
            if precise:
                kind = tree_map(lambda x: _with_dtype(x, precise[0]), kind)
            return brought(function(*positional, **named), kind)

        return translated


def _with_dtype(part: Any, dtype: torch.dtype) -> Any:
    return part.to(dtype) if isinstance(part, torch.Tensor) and part.is_floating_point() else part


def judge(exercise: Exercise, function: Any) -> Verdict:
    """Try a learner's function on all inputs. Never raises, whatever the function does."""
    name = exercise.name
    if not isinstance(function, FunctionType):
        return Verdict(name, WRONG, RUNS, diagnosis="Under @exercise must stand a def.")
    if is_blank(function):
        return Verdict(name, BLANK)
    verdict = Verdict(name, WRONG, RUNS)
    with torch.device("cpu"):  # where the random numbers are drawn
        inputs = sorted(exercise.inputs(), key=size)
    with _meaning(name, function):
        begun = time.monotonic()
        run = run_guarded(lambda: _try_all(exercise, function, inputs, verdict), exercise.seconds)
        verdict.printed = run.printed
        if run.late:
            verdict.rule = "it comes to an end"
            verdict.diagnosis = _stopped(run.seconds) + _GOES_ON * run.left
        # An object that raises wherever it is touched, or a bug of ours.
        elif run.error is not None:
            verdict.diagnosis = f"It could not be checked: {sentence(run.error)}"
        elif run.value is not None:
            left = begun + exercise.seconds - time.monotonic()
            known = run_guarded(
                lambda: known_mistake(exercise, function, inputs, *run.value), max(left, 1.0)
            )
            verdict.diagnosis = known.value or verdict.diagnosis
    return verdict


def _stopped(seconds: float) -> str:
    return f"It was stopped after {seconds:.0f} seconds: does a loop never end, or does it wait?"


_GOES_ON = (
    " Even so it goes on behind your back, and may slow down all that you run, until you restart "
    "the kernel (Kernel ▸ Restart Kernel…)."
)


@contextlib.contextmanager
def _meaning(name: str, function: FunctionType) -> Iterator[None]:
    """Meanwhile a name means the learner's function, for one that calls itself.

    It would else mean what an earlier run of the cell left: the book's own function.
    """
    names, missing = function.__globals__, object()
    before = names.get(name, missing)
    names[name] = function
    try:
        yield
    finally:
        if before is missing:
            names.pop(name, None)
        else:
            names[name] = before


def is_blank(function: Any) -> bool:
    """Whether a function does nothing, or only raises NotImplementedError, yet."""
    code = function.__code__
    steps = list(dis.get_instructions(code))
    names = {step.opname for step in steps}
    if names <= _EMPTY:
        return all(step.argval is None for step in steps if "CONST" in step.opname)
    raises = code.co_names == ("NotImplementedError",) and "RAISE_VARARGS" in names
    return raises and not names & {"STORE_FAST", "FOR_ITER", "COMPARE_OP"}


def _try_all(
    exercise: Exercise, function: Function, inputs: list[Mapping[str, Any]], verdict: Verdict
) -> tuple[Mapping[str, Any], Fault] | None:
    """Fill in the verdict. The first fault ends it; that and its input are given back."""
    calls = []
    arguments: Mapping[str, Any] = {}
    try:
        for arguments in inputs:
            verdict.inputs += 1
            verdict.arguments = listed(arguments)
            call = Trial(exercise, function, arguments)
            if not call.refused:
                hold(exercise, call)
                calls.append(call)
            if call.foreign:
                verdict.kind = call.expected
        compared = []
        for call in calls:  # last, because a gradient of wrong values says little
            verdict.arguments = listed(call.arguments)
            compared.append(call.check_gradients())
    except Blank:
        verdict.state, verdict.rule, verdict.arguments = BLANK, "", ()
        return None
    except Fault as fault:
        verdict.rule, verdict.diagnosis, seen = fault.rule, fault.diagnosis, fault.seen
        verdict.arguments = listed(seen.given)
        verdict.expected, verdict.got = seen.lines()
        return None if fault.rule in (ALONE, GRADIENTS) else (arguments, fault)
    verdict.state, verdict.rule, verdict.arguments = RIGHT, "", ()
    always = [ALONE, *[SAME] * exercise.compare, *[GRADIENTS] * any(compared)]
    verdict.checked = (*exercise.rules, *always)
    return None
