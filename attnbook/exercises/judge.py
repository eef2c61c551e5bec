"""The verdict on a learner's function: blank, wrong (why, on the smallest input) or right."""

from __future__ import annotations

import contextlib
import dis
import functools
import inspect
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

import torch
from torch.utils._pytree import tree_map

from .clues import squeezes_all
from .diagnosis import known_mistake
from .errors import error_text
from .formatting import as_statements
from .guard import run_guarded
from .seeds import seed_fault
from .spec import Exercise, Function
from .state import NO_RESULT, StateCheck
from .trial import (
    ARGUMENTS_UNCHANGED,
    EQUALS_REFERENCE,
    GRADIENTS,
    RETURN_TYPE,
    RUNS,
    SETTINGS_UNCHANGED,
    Blank,
    Fault,
    Trial,
    check_rules,
)
from .values import cast_like, count_elements, tensors
from .variants import variants

BLANK, WRONG, RIGHT = "not attempted", "wrong", "right"
_EMPTY_OPCODES = {
    *("RESUME", "NOP", "CACHE", "COPY_FREE_VARS"),
    *("LOAD_CONST", "POP_TOP", "RETURN_VALUE", "RETURN_CONST"),
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

    def refuse(self, fault: Fault) -> None:
        """Write in what is wrong."""
        self.state, self.checked, self.cast_to = WRONG, (), None
        self.rule, self.diagnosis, self.failing = fault.rule, fault.diagnosis, fault.call.arguments
        self.expected, self.got = fault.call.lines()

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
    if not isinstance(function, FunctionType):
        return Verdict(exercise.name, WRONG, RUNS, diagnosis=_not_a_function(exercise, function))
    if is_blank(function):
        return Verdict(exercise.name, BLANK)
    judging = _Judging(exercise, function)
    verdict = judging.verdict
    with _temporarily_bound(exercise.name, function):
        started = time.monotonic()
        run = run_guarded(judging.try_all, exercise.seconds)
        verdict.printed = run.printed
        if run.timed_out:
            verdict.rule = "it comes to an end"
            verdict.diagnosis = _timeout_message(exercise.seconds, run.seconds)
            verdict.diagnosis += _GOES_ON * run.still_running
        # An object that raises wherever it is touched, or a bug of ours.
        elif run.error is not None:
            verdict.diagnosis = f"It could not be checked: {error_text(run.error)}"
        elif verdict.state != BLANK and verdict.rule != ARGUMENTS_UNCHANGED:
            left = max(started + exercise.seconds - time.monotonic(), 1.0)
            later = run_guarded(judging.check_again, left).value
            if isinstance(later, Fault):
                verdict.refuse(later)
            elif later:
                verdict.diagnosis = later
    if verdict.rule in (RETURN_TYPE, RUNS) and "squeeze" not in verdict.diagnosis:
        verdict.diagnosis += _SQUEEZE * squeezes_all(function)
    off = any(_GRADIENTS_OFF in call.switched for call in judging.calls)  # breaks many a rule
    if verdict.state == WRONG and off and _GRADIENTS_OFF not in verdict.diagnosis:
        verdict.diagnosis += f" It calls {_GRADIENTS_OFF}: from there on no gradient is kept."
    verdict.arguments = as_statements(verdict.failing)
    return verdict


class _Judging:
    """A learner's function that is being judged, and what came of its calls so far."""

    def __init__(self, exercise: Exercise, function: FunctionType) -> None:
        self.exercise, self.function = exercise, function
        self.verdict = Verdict(exercise.name, WRONG, RUNS)
        self.calls: list[Trial] = []  # one an input
        self.fault: Fault | None = None  # that a known mistake may explain
        with torch.device("cpu"):  # where the random numbers are drawn
            self.inputs = sorted(exercise.inputs(), key=count_elements)
            self.further = variants(exercise)

    def try_all(self) -> None:
        """Fill in the verdict. The first fault ends it."""
        self.state = StateCheck(self.exercise, self.function)
        verdict = self.verdict
        try:
            self._check_results()
            # Last, because a gradient of wrong values says little.
            for call in [call for call in self.calls if not call.both_raised]:
                verdict.failing = call.arguments
                call.check_gradients()
                call.check_modes()
        except Blank:
            verdict.state, verdict.rule, verdict.failing = BLANK, "", {}
        except Fault as fault:
            if fault.rule not in (ARGUMENTS_UNCHANGED, GRADIENTS, SETTINGS_UNCHANGED):
                self.fault, self.fault_input = fault, verdict.failing
            verdict.refuse(fault)
        else:
            verdict.state, verdict.rule, verdict.failing = RIGHT, "", {}
            always = [
                ARGUMENTS_UNCHANGED,
                *[EQUALS_REFERENCE] * self.exercise.compare,
                *[GRADIENTS] * any(call.has_gradients for call in self.calls),
            ]
            verdict.checked = (*self.exercise.rules, *always)

    def _check_results(self) -> None:
        """Raise a Fault where a result is not right: for the inputs, then for further ones."""
        for arguments in self.inputs:
            self.verdict.inputs += 1
            self.verdict.failing = arguments
            call = Trial(self.exercise, self.function, arguments)
            self.calls.append(call)
            if not call.both_raised:
                check_rules(self.exercise, call)
            if call.has_other_type:
                self.verdict.cast_to = call.expected
        for where, arguments in self.further:
            self.verdict.inputs += 1
            self.verdict.failing = arguments
            self._check_variant(where, arguments)

    def _check_variant(self, where: str, arguments: Mapping[str, Any]) -> None:
        """Raise a Fault where the result is another for an input that was made of the others."""
        try:
            call = Trial(self.exercise, self.function, arguments)
            if message := call.any_difference():
                raise Fault(EQUALS_REFERENCE, message, call.shown_call())
        except Fault as fault:
            if fault.rule == ARGUMENTS_UNCHANGED:
                raise
            message = f"Everything else is right, but {where}: {fault}"
            raise Fault(fault.rule, message, fault.call) from fault

    def check_again(self) -> Fault | str | None:
        """What only more calls show: state and seeds, and of a wrong answer the mistake."""
        verdict, inputs = self.verdict, self.inputs
        results = [NO_RESULT if call.both_raised else call.result for call in self.calls]
        results += [NO_RESULT] * (min(verdict.inputs, len(inputs)) - len(results))
        if verdict.state == RIGHT:
            return self.state.fault(inputs, results) or seed_fault(self.function, inputs)
        state = self.state.fault(inputs, results, verdict.failing)
        if state or self.fault is None:
            return state
        if verdict.inputs > len(inputs):  # a further input showed the fault
            inputs = [*inputs, *(arguments for _, arguments in self.further)]
        return known_mistake(self.exercise, self.function, inputs, self.fault_input, self.fault)


def _not_a_function(exercise: Exercise, value: Any) -> str:
    """What stands under @exercise, where it is no function, and what should stand there."""
    what = f"an object of type {type(value).__name__}"
    what = "a class" if isinstance(value, type) else what
    names = ", ".join(inspect.signature(exercise.reference).parameters)
    return (
        f"Under @exercise there must be a def, here def {exercise.name}({names}):, and nothing "
        f"between the two. Yours has {what}."
    )


def _timeout_message(limit: float, taken: float) -> str:
    """``limit`` is the time limit, ``taken`` what the clock says."""
    busy = f" ({taken:.0f} by the clock, because the computer is busy)" * (taken > limit + 2)
    return (
        f"It was stopped after {limit:.0f} seconds{busy}: does a loop never end, or does it wait "
        "for something?"
    )


_GRADIENTS_OFF = "torch.set_grad_enabled"
_SQUEEZE = (
    " squeeze() without a number removes every dimension of size 1, even one that must stay: say "
    "which one you mean."
)
_GOES_ON = (
    " It still runs in the background and can slow down everything you run until you restart the "
    "kernel (Kernel ▸ Restart Kernel…)."
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
