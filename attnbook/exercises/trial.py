"""One call of a learner's function: looked at before a rule sees it, and then by every rule."""

from __future__ import annotations

import dis
import inspect
from collections.abc import Mapping, Sequence
from types import CodeType
from typing import Any

from .gradients import gradients_differ
from .guard import TimeUp
from .spec import Call, Exercise, Function
from .values import brought, copied, difference, shown, tensors

KIND = "it returns what the docstring says"
ALONE = "it leaves its arguments as they were"
SAME = "its result is that of the book's own function"
REFUSES = "it refuses what the book's own function refuses"
GRADIENTS = "the gradients that come back are those of the book's own function"
RUNS = "it runs"


class Blank(Exception):
    """The learner's function says itself that it is not written yet."""


class Fault(Exception):
    """The learner's function is wrong; said here in whole sentences."""

    def __init__(self, rule: str, diagnosis: str, **seen: Any) -> None:
        super().__init__(diagnosis)
        self.rule, self.diagnosis = rule, diagnosis
        self.seen = seen  # arguments, expected and got, where they are not those of the trial


class Trial(Call):
    """A call whose results are brought to the reference's kind, and whose faults are raised."""

    def __init__(self, exercise: Exercise, function: Function, given: Mapping[str, Any]) -> None:
        super().__init__(given)
        self._learner, self._reference = function, exercise.reference
        self._exercise = exercise
        self._others: list[tuple[dict[str, Any], Any, Any]] = []
        self.foreign = False  # right perhaps, but not of the reference's kind
        self.result, self.expected = self._asked(given, refusable=True)
        self.refused = isinstance(self.expected, Exception)  # by both: there is no result

    def __call__(self, **changed: Any) -> Any:
        result, expected = self._asked({**self.arguments, **changed})
        if not isinstance(expected, Exception):
            self._others.append((changed, result, expected))
        return result

    def uncompared(self, **changed: Any) -> Any:
        return self._asked({**self.arguments, **changed})[0]

    def agrees(self, **changed: Any) -> str | None:
        result, expected = self._asked({**self.arguments, **changed}, refusable=True)
        return self._told(changed, result, expected)

    def _told(self, changed: Mapping[str, Any], result: Any, expected: Any) -> str | None:
        if isinstance(expected, Exception):
            return None
        told = difference(result, expected, self._exercise.tolerance)
        place = f"With {', '.join(listed(changed))}: " if changed else ""
        return place + told if told else None

    def error(self, **changed: Any) -> BaseException | None:
        return self._attempt(copied({**self.arguments, **changed}))[1]

    def gradients_differ(self, names: Sequence[str]) -> str | None:
        """How the gradients of some arguments differ from the reference's, if at all."""

        def learner(**given: Any) -> Any:
            result, problem = self._attempt(given)
            if problem is not None:
                told = f"With requires_grad, it {_raises(problem, self._learner)}"
                raise Fault(GRADIENTS, told) from problem
            return result

        return gradients_differ(learner, self._reference, self.arguments, names)

    def differs(self) -> str | None:
        """How a result differs from the reference's, here or where a rule has looked."""
        if not self._exercise.compare:
            return None
        calls = [({}, self.result, self.expected), *self._others]
        return next(filter(None, (self._told(*call) for call in calls)), None)

    def _attempt(self, arguments: dict[str, Any]) -> tuple[Any, BaseException | None]:
        """What the learner's function returns, and what it raises."""
        _accepts(self._learner, arguments)
        try:
            return self._learner(**arguments), None
        except TimeUp:
            raise
        except BaseException as problem:  # SystemExit too: it is the learner's, not ours
            if _is_unwritten(problem, self._learner):
                raise Blank from None
            return None, problem

    def _asked(self, given: Mapping[str, Any], refusable: bool = False) -> tuple[Any, Any]:
        """The learner's result for copies of the arguments, in the reference's kind; and that's."""
        mine = copied(dict(given))
        result, problem = self._attempt(mine)
        expected = outcome(self._reference, given)  # after the learner's: rules may listen
        if refusable and isinstance(expected, Exception):
            self._must_refuse(expected, result, problem)
            return None, expected
        if problem is not None:
            told = f"It {_raises(problem, self._learner)}"
            raise Fault(RUNS, told, arguments=given) from problem
        if isinstance(expected, Exception):
            return copied(brought(result, self.expected)), expected
        seen = {"arguments": given, "expected": expected, "got": result}
        for key, before in given.items():
            if changed := _changed(key, mine[key], copied(before)):
                raise Fault(ALONE, changed, **seen)
        unlike = difference(result, expected)
        if unlike and unlike.what in (("type", "shape") if self._exercise.compare else ("type",)):
            raise Fault(KIND, unlike, **seen)
        kept = brought(result, expected)
        if any(e.requires_grad and not g.requires_grad
               for e, g in zip(tensors(expected), tensors(kept))):  # fmt: skip
            raise Fault(KIND, _CUT, **seen)
        self.foreign |= _kinds(result) != _kinds(kept)
        return copied(kept), expected

    def _must_refuse(self, refusal: Exception, result: Any, problem: BaseException | None) -> None:
        if not isinstance(problem, type(refusal)):
            told = f"{shown(result)} comes back"
            told = f"it {_raises(problem, self._learner)}" if problem else told
            kind = type(refusal).__name__
            raise Fault(REFUSES, f"Here a {kind} should be raised ({refusal}), and {told}.")


_CUT = (
    "No gradient comes back through the result, so nothing could be trained with it. Is there "
    "an .item(), .detach(), .data, torch.tensor(…) or no_grad on the way?"
)


def hold(exercise: Exercise, call: Trial) -> None:
    """Raise a Fault at the first rule that does not hold."""
    for rule, test in exercise.rules.items():
        try:
            answer = test(call)
            broken = isinstance(answer, str) or answer is not None and not bool(answer)
        except (Fault, Blank):
            raise
        except Exception as problem:
            stumbled = f"This could not be checked: {sentence(problem)}"
            raise Fault(rule, call.differs() or stumbled) from problem
        if broken:
            measured = answer if isinstance(answer, str) else call.differs()
            raise Fault(rule, measured or f"For this input it does not hold that {rule}.")
    if told := call.differs():
        raise Fault(SAME, told)
    if exercise.gradients:
        told = call.gradients_differ(exercise.gradients)
        if told:
            raise Fault(GRADIENTS, told)


def outcome(function: Function, given: Mapping[str, Any]) -> Any:
    """What a function returns for copies of its arguments, or the exception that it raises."""
    try:
        return function(**copied(dict(given)))
    except TimeUp:
        raise
    except Exception as problem:
        return problem
    except BaseException as problem:  # SystemExit
        return RuntimeError(sentence(problem))


def listed(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """Arguments for a person to read."""
    return tuple(f"{key} = {shown(value)}" for key, value in arguments.items())


def _accepts(function: Function, arguments: Mapping[str, Any]) -> None:
    """A function must take the arguments by the names that its cell gave them."""
    try:
        inspect.signature(function).bind(**arguments)
    except TypeError:
        has = ", ".join(inspect.signature(function).parameters)
        told = f"The arguments are {', '.join(arguments)}; your function has ({has}). Keep the def."
        raise Fault(RUNS, told) from None


def _changed(name: str, now: Any, before: Any) -> str | None:
    if difference(now, before, 0.0):
        return (f"The argument {name} was changed by the call: work on a copy, or use the form "
                "without the underscore (x.add instead of x.add_).")  # fmt: skip
    flags = zip(tensors(now), tensors(before))
    if any(one.requires_grad != other.requires_grad for one, other in flags):
        return (f"The argument {name} was changed by the call: its requires_grad is another now, "
                f"for whoever called. Work on {name}.detach().")  # fmt: skip
    return None


def _kinds(value: Any) -> Any:
    """Types all the way down."""
    if isinstance(value, (list, tuple)):
        return type(value), [_kinds(part) for part in value]
    return getattr(value, "dtype", type(value)), type(value)


def _is_unwritten(problem: BaseException, function: Any) -> bool:
    """Whether a ``raise NotImplementedError`` of the learner's own was reached.

    Torch raises the same exception where an operation does not exist for a type of numbers.
    """
    trace = problem.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or not isinstance(problem, NotImplementedError):
        return False
    code = trace.tb_frame.f_code.co_code
    by_raise = code[trace.tb_lasti] == dis.opmap["RAISE_VARARGS"]
    return by_raise and trace.tb_frame.f_globals is function.__globals__


def sentence(problem: BaseException) -> str:
    """An exception in one line."""
    try:
        text = "".join(x for x in " ".join(str(problem).split()) if x.isprintable())
    except Exception:
        text = ""
    return f"{type(problem).__name__}: {text[:300]}" if text else type(problem).__name__


def _codes(code: CodeType) -> list[CodeType]:
    """A function's code and that of what is written inside it: from Python 3.12 on, a comprehension
    has none of its own."""
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    return [code, *(found for const in inner for found in _codes(const))]


def _raises(problem: BaseException, function: Any) -> str:
    """What was raised, and in which line of the learner's function."""
    code, line, trace = getattr(function, "__code__", None), None, problem.__traceback__
    while trace is not None and code is not None:
        if trace.tb_frame.f_code in _codes(code):
            line = trace.tb_lineno - code.co_firstlineno + 1
        trace = trace.tb_next
    place = f" (line {line} of the cell's function)" if line else ""
    if isinstance(problem, SystemExit):
        return f"leaves Python with exit() or SystemExit{place}: a function ends with return."
    if isinstance(problem, KeyboardInterrupt):
        return f"raises KeyboardInterrupt{place}, which is what the stop button does."
    if isinstance(problem, RecursionError):
        place += ": it calls itself again and again. Which case returns without doing so?"
    return f"raises {sentence(problem)}{place}"
