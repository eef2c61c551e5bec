"""The verdict on a learner's function: blank, wrong (why, on the smallest input) or right."""

from __future__ import annotations

import contextlib
import dis
import functools
import inspect
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

import torch
from torch.utils._pytree import tree_map

from .clues import squeezes_all
from .diagnosis import known_mistake
from .guard import run_guarded
from .spec import Exercise, Function
from .state import NO_RESULT, SavedState, seed_fault, state_fault
from .trial import (
    ARGUMENTS_UNCHANGED,
    EQUALS_REFERENCE,
    GRADIENTS,
    RETURN_TYPE,
    RUNS,
    Blank,
    Fault,
    Trial,
    as_statements,
    check_rules,
    error_text,
)
from .values import cast_like, count_elements, tensors
from .variants import Variant, variants

BLANK, WRONG, RIGHT = "not attempted", "wrong", "right"
_EMPTY_OPCODES = {
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
    arguments: tuple[str, ...] = ()  # the smallest input that breaks it, as Python
    expected: str = ""
    got: str = ""
    diagnosis: str = ""
    printed: str = ""  # by the learner's function
    checked: tuple[str, ...] = ()  # the rules that hold
    inputs: int = 0  # how many were tried
    replaced: bool = True  # if not right: later cells use the book's own function
    # A result of the reference, where the learner's has another type.
    cast_to: Any = field(default=None, repr=False)
    failing: Mapping[str, Any] = field(default_factory=dict, repr=False)  # the input itself

    def answer(self, function: Function) -> Function:
        """The learner's function, its results in the kind that the rest of the chapter expects.

        Their precision is that of the call's arguments, not of the input on which it was judged.
        """
        if self.cast_to is None:
            return function

        @functools.wraps(function)
        def translated(*positional: Any, **named: Any) -> Any:
            precise = [x.dtype for x in tensors([positional, named]) if x.is_floating_point()]
            target = self.cast_to
            if precise:
                target = tree_map(lambda x: _with_dtype(x, precise[0]), target)
            return cast_like(function(*positional, **named), target)

        return translated


def _with_dtype(part: Any, dtype: torch.dtype) -> Any:
    return part.to(dtype) if isinstance(part, torch.Tensor) and part.is_floating_point() else part


def judge(exercise: Exercise, function: Any) -> Verdict:
    """Try a learner's function on all inputs. Never raises, whatever the function does."""
    name = exercise.name
    if not isinstance(function, FunctionType):
        return Verdict(name, WRONG, RUNS, diagnosis=_not_a_function(exercise, function))
    if is_blank(function):
        return Verdict(name, BLANK)
    verdict = Verdict(name, WRONG, RUNS)
    with torch.device("cpu"):  # where the random numbers are drawn
        inputs = sorted(exercise.inputs(), key=count_elements)
        further = variants(exercise)
    with _temporarily_bound(name, function):
        started = time.monotonic()
        saved: list[SavedState] = []
        calls: list[Trial] = []

        def work() -> tuple[Mapping[str, Any], Fault] | None:
            saved.append(SavedState(function))
            return _try_all(exercise, function, inputs, further, verdict, calls)

        run = run_guarded(work, exercise.seconds)
        verdict.printed = run.printed
        if run.timed_out:
            verdict.rule = "it comes to an end"
            verdict.diagnosis = (
                _timeout_message(exercise.seconds, run.seconds) + _GOES_ON * run.still_running
            )
        # An object that raises wherever it is touched, or a bug of ours.
        elif run.error is not None:
            verdict.diagnosis = f"It could not be checked: {error_text(run.error)}"
        elif verdict.state != BLANK and verdict.rule != ARGUMENTS_UNCHANGED:
            left = max(started + exercise.seconds - time.monotonic(), 1.0)
            results = [NO_RESULT if call.both_raised else call.result for call in calls]
            results += [NO_RESULT] * (min(verdict.inputs, len(inputs)) - len(results))
            later = run_guarded(
                lambda: _check_again(
                    exercise, function, inputs, verdict, saved[0], results, run.value
                ),
                left,
            )
            if isinstance(later.value, Fault):
                _write_fault(verdict, later.value)
            elif later.value:
                verdict.diagnosis = later.value
    if verdict.rule in (RETURN_TYPE, RUNS) and "squeeze" not in verdict.diagnosis:
        verdict.diagnosis += _SQUEEZE * squeezes_all(function)
    off = any(_GRADIENTS_OFF in call.switched for call in calls)  # which breaks many a rule
    if verdict.state == WRONG and off and _GRADIENTS_OFF not in verdict.diagnosis:
        verdict.diagnosis += f" It calls {_GRADIENTS_OFF}: from there on no gradient is kept."
    verdict.arguments = as_statements(verdict.failing)
    return verdict


def _check_again(
    exercise: Exercise,
    function: Function,
    inputs: list[Mapping[str, Any]],
    verdict: Verdict,
    saved: SavedState,
    results: Sequence[Any],
    failed: tuple[Mapping[str, Any], Fault] | None,
) -> Fault | str | None:
    """What only more calls show: state and seeds, and of a wrong answer the mistake."""
    if verdict.state == RIGHT:
        return state_fault(exercise, function, inputs, results, saved) or seed_fault(
            function, inputs
        )
    state = state_fault(exercise, function, inputs, results, saved, verdict.failing)
    if state or not failed:
        return state
    candidates = inputs
    if all(failed[0] is not arguments for arguments in inputs):
        candidates = [*inputs, *(arguments for _, arguments in variants(exercise))]
    return known_mistake(exercise, function, candidates, *failed)


def _check_variant(
    exercise: Exercise, function: Function, location: str, arguments: Mapping[str, Any]
) -> None:
    """Raise a Fault where the result is another for an input that was made of the others."""
    try:
        call = Trial(exercise, function, arguments)
        message = call.any_difference()
    except Fault as fault:
        if fault.rule == ARGUMENTS_UNCHANGED:
            raise
        raise Fault(
            fault.rule, f"All else is right, but {location}: {fault}", fault.call
        ) from fault
    if message:
        raise Fault(
            EQUALS_REFERENCE, f"All else is right, but {location}: {message}", call.shown_call()
        )


def _write_fault(verdict: Verdict, fault: Fault) -> None:
    """Write a fault into a verdict."""
    verdict.state, verdict.checked, verdict.cast_to = WRONG, (), None
    verdict.rule, verdict.diagnosis, verdict.failing = (
        fault.rule,
        fault.diagnosis,
        fault.call.arguments,
    )
    verdict.expected, verdict.got = fault.call.lines()


def _not_a_function(exercise: Exercise, function: Any) -> str:
    """What stands under @exercise, where it is no function, and what should stand there."""
    what = "a class" if isinstance(function, type) else f"an object of type {_type_name(function)}"
    names = ", ".join(inspect.signature(exercise.reference).parameters)
    return (
        f"Under @exercise must stand a def, here def {exercise.name}({names}):, and nothing "
        f"between the two. What stands there is {what}."
    )


def _type_name(value: Any) -> str:
    return str(getattr(type(value), "__name__", "?"))


def _timeout_message(limit: float, taken: float) -> str:
    """``limit`` is the time limit, ``taken`` what the clock says."""
    busy = f" ({taken:.0f} by the clock, for the computer is busy)" * (taken > limit + 2)
    return (
        f"It was stopped after {limit:.0f} seconds{busy}: does a loop never end, or does it wait?"
    )


_GRADIENTS_OFF = "torch.set_grad_enabled"
_SQUEEZE = (
    " squeeze() without a number takes away every dimension of size 1, one that is to stay, too: "
    "say which one you mean."
)
_GOES_ON = (
    " Even so it goes on behind your back, and may slow down all that you run, until you restart "
    "the kernel (Kernel ▸ Restart Kernel…)."
)


@contextlib.contextmanager
def _temporarily_bound(name: str, function: FunctionType) -> Iterator[None]:
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
    if names <= _EMPTY_OPCODES:
        return all(step.argval is None for step in steps if "CONST" in step.opname)
    raises = code.co_names == ("NotImplementedError",) and "RAISE_VARARGS" in names
    return raises and not names & {"STORE_FAST", "FOR_ITER", "COMPARE_OP"}


def _try_all(
    exercise: Exercise,
    function: Function,
    inputs: list[Mapping[str, Any]],
    further: Sequence[Variant],
    verdict: Verdict,
    calls: list[Trial],
) -> tuple[Mapping[str, Any], Fault] | None:
    """Fill in the verdict, and the calls, one an input.

    The first fault ends it; that and its input are returned.
    """
    arguments: Mapping[str, Any] = {}
    try:
        for arguments in inputs:
            verdict.inputs += 1
            verdict.failing = arguments
            call = Trial(exercise, function, arguments)
            calls.append(call)
            if not call.both_raised:
                check_rules(exercise, call)
            if call.has_other_type:
                verdict.cast_to = call.expected
        for where, arguments in further:
            verdict.inputs += 1
            verdict.failing = arguments
            _check_variant(exercise, function, where, arguments)
        # Last, because a gradient of wrong values says little.
        for call in [call for call in calls if not call.both_raised]:
            verdict.failing = call.arguments
            call.check_gradients()
            call.check_modes()
    except Blank:
        verdict.state, verdict.rule, verdict.failing = BLANK, "", {}
        return None
    except Fault as fault:
        _write_fault(verdict, fault)
        return None if fault.rule in (ARGUMENTS_UNCHANGED, GRADIENTS) else (arguments, fault)
    verdict.state, verdict.rule, verdict.failing = RIGHT, "", {}
    always = [
        ARGUMENTS_UNCHANGED,
        *[EQUALS_REFERENCE] * exercise.compare,
        *[GRADIENTS] * any(call.has_gradients for call in calls),
    ]
    verdict.checked = (*exercise.rules, *always)
    return None
