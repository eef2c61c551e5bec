"""The verdict on a learner's function: blank, wrong (why, on the smallest input) or right."""

from __future__ import annotations

import contextlib
import dis
import inspect
import io
from collections.abc import Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import torch

from .guard import TimeUp, run_guarded
from .spec import Call, Exercise, Function
from .values import copied, difference, shown, size

BLANK, WRONG, RIGHT = "not attempted", "wrong", "right"
_EMPTY = {"RESUME", "NOP", "CACHE", "COPY_FREE_VARS", "LOAD_CONST", "POP_TOP", "RETURN_VALUE",
          "RETURN_CONST"}  # fmt: skip


@dataclass
class Verdict:
    """What is shown under a cell."""

    name: str
    state: str
    rule: str = ""  # what does not hold
    arguments: tuple[str, ...] = ()  # the smallest input for which it does not
    expected: str = ""
    got: str = ""
    diagnosis: str = ""
    printed: str = ""  # by the learner's function
    checked: tuple[str, ...] = ()  # the rules that hold
    inputs: int = 0  # tried
    replaced: bool = True  # where it is not right: the book's own function stands in for it


class _Fault(Exception):
    """The learner's function is wrong; said here in whole sentences."""

    def __init__(self, rule: str, diagnosis: str, got: Any = ...) -> None:
        super().__init__(diagnosis)
        self.rule, self.diagnosis, self.got = rule, diagnosis, got


KIND = "it returns what the docstring says"
ALONE = "it leaves its arguments as they were"
SAME = "its result is that of the book's own function"
RUNS = "it runs"


def judge(exercise: Exercise, function: Any) -> Verdict:
    """Try a learner's function on all inputs. Never raises, whatever the function does."""
    name = exercise.name
    if not isinstance(function, FunctionType):
        return Verdict(name, WRONG, RUNS, diagnosis="Under @exercise must stand a def.")
    if is_blank(function):
        return Verdict(name, BLANK)
    verdict = Verdict(name, WRONG, RUNS)
    with torch.device("cpu"):  # where the generators of random numbers are
        inputs = sorted(exercise.inputs(), key=size)
    outcome = run_guarded(lambda: _try_all(exercise, function, inputs, verdict), exercise.seconds)
    verdict.printed = outcome.printed
    if outcome.late:
        verdict.rule = "it comes to an end"
        verdict.diagnosis = (f"It was stopped after {exercise.seconds:g} seconds: does a loop "
                             "never end?")  # fmt: skip
    elif outcome.error is not None:  # an object that defends itself, or a fault of ours
        verdict.diagnosis = f"It could not be checked: {_sentence(outcome.error)}"
    return verdict


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
    exercise: Exercise, function: Any, inputs: list[Mapping[str, Any]], verdict: Verdict
) -> None:
    """Fill in the verdict; the first fault ends it."""
    for arguments in inputs:
        verdict.inputs += 1
        verdict.arguments = tuple(f"{key} = {shown(value)}" for key, value in arguments.items())
        try:
            call = _Tried(exercise, function, arguments)
            verdict.expected, verdict.got = shown(call.expected), shown(call.result)
            _hold(exercise, call)
        except NotImplementedError:
            verdict.state, verdict.rule, verdict.arguments = BLANK, "", ()
            return
        except _Fault as fault:
            verdict.rule, verdict.diagnosis = fault.rule, fault.diagnosis
            if fault.got is not ...:
                verdict.got = shown(fault.got)
                verdict.expected = shown(exercise.reference(**copied(dict(arguments))))
            if known := _known_mistake(exercise, function, inputs):
                verdict.diagnosis = known
            return
    verdict.state, verdict.rule, verdict.arguments = RIGHT, "", ()
    verdict.expected = verdict.got = ""
    compared = [SAME] if exercise.compare else []
    verdict.checked = (*exercise.rules, ALONE, *compared)


class _Tried(Call):
    """A call whose results are looked at before a rule sees them."""

    def __init__(self, exercise: Exercise, function: Function, given: Mapping[str, Any]) -> None:
        def learner(**arguments: Any) -> Any:
            return _called(function, exercise, arguments)

        super().__init__(learner, lambda **kw: exercise.reference(**copied(kw)), given, None)
        self.result = learner(**given)


def _called(function: Function, exercise: Exercise, arguments: Mapping[str, Any]) -> Any:
    """The learner's result for copies of the arguments, of the right kind, or a _Fault."""
    _accepts(function, arguments)
    mine = copied(dict(arguments))
    try:
        result = function(**mine)
    except NotImplementedError:
        raise
    except TimeUp:
        raise
    except BaseException as problem:  # sys.exit() too
        raise _Fault(RUNS, _of_exception(problem, function)) from problem
    for key, before in arguments.items():
        if difference(mine[key], copied(before), 0.0):
            told = f"The argument {key} was changed by the call: work on a copy, or use the form "
            raise _Fault(ALONE, told + "without the underscore (x.add instead of x.add_).", result)
    unlike = difference(result, exercise.reference(**copied(dict(arguments))))
    if unlike and unlike.what in (("type", "shape") if exercise.compare else ("type",)):
        raise _Fault(KIND, unlike, result)
    return copied(result)


def _accepts(function: Function, arguments: Mapping[str, Any]) -> None:
    """A function must take the arguments by the names that its cell gave them."""
    try:
        inspect.signature(function).bind(**arguments)
    except TypeError:
        has = ", ".join(inspect.signature(function).parameters)
        told = f"The arguments are {', '.join(arguments)}; your function has ({has}). Keep the def."
        raise _Fault(RUNS, told) from None


def _hold(exercise: Exercise, call: Call) -> None:
    """Raise a _Fault at the first rule that does not hold."""
    for rule, test in exercise.rules.items():
        try:
            answer = test(call)
        except (_Fault, NotImplementedError):
            raise
        except Exception as problem:
            raise _Fault(rule, f"This could not be checked: {_sentence(problem)}") from problem
        if isinstance(answer, str):
            raise _Fault(rule, answer)
        if answer is not None and not bool(answer):
            told = difference(call.result, call.expected, exercise.tolerance)
            raise _Fault(rule, told if exercise.compare and told else "")
    if exercise.compare and (told := difference(call.result, call.expected, exercise.tolerance)):
        raise _Fault(SAME, told)


def _known_mistake(
    exercise: Exercise, function: Function, inputs: list[Mapping[str, Any]]
) -> str | None:
    """The diagnosis of the mistake that gives what the learner's function gives on every input."""
    with contextlib.redirect_stdout(io.StringIO()):  # the failing call has printed already
        return _same_as(exercise, function, inputs)


def _same_as(exercise: Exercise, function: Function, inputs: list[Mapping[str, Any]]) -> str | None:
    for mistake in exercise.mistakes:
        results = [
            (_outcome(function, given), _outcome(mistake.function, given)) for given in inputs
        ]
        if all(_alike(*pair, exercise.tolerance) for pair in results):
            return mistake.diagnosis
    return None


def _outcome(function: Function, given: Mapping[str, Any]) -> Any:
    try:
        return function(**copied(dict(given)))
    except Exception as problem:
        return problem


def _alike(one: Any, other: Any, tolerance: float) -> bool:
    if isinstance(one, Exception) or isinstance(other, Exception):
        return type(one) is type(other) and str(one) == str(other)
    return difference(one, other, tolerance) is None


def _sentence(problem: BaseException) -> str:
    try:
        text = " ".join(str(problem).split())
    except Exception:
        text = ""
    return f"{type(problem).__name__}: {text[:300]}" if text else type(problem).__name__


def _of_exception(problem: BaseException, function: Any) -> str:
    """What was raised, and in which line of the learner's function."""
    code, line, trace = getattr(function, "__code__", None), None, problem.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code is code:
            line = trace.tb_lineno - code.co_firstlineno + 1
        trace = trace.tb_next
    place = f" (line {line} of the cell's function)" if line else ""
    return f"It raises {_sentence(problem)}{place}"
