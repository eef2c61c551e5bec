"""One call of a learner's function: checked before a rule sees it, and then by every rule."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from torch import nn

from .clues import names_used
from .errors import error_message, error_text, is_stub_error
from .formatting import as_statements, fmt
from .gradients import compare_gradients
from .guard import TimeLimitExceeded, unswitched
from .spec import Call, Exercise, Function
from .tracing import changed, changed_argument_message
from .values import cast_like, deep_copy, difference

RETURN_TYPE = "it returns what the docstring says"
FINITE = "what should be a number is one"
ARGUMENTS_UNCHANGED = "it leaves its arguments as they were"
EQUALS_REFERENCE = "its result is that of the book's own function"
RAISES_AS_REFERENCE = "it refuses what the book's own function refuses"
GRADIENTS = "the gradients that come back are those of the book's own function"
RUNS = "it runs"
SETTINGS_UNCHANGED = "it leaves alone what is set for the whole notebook"


class Blank(Exception):
    """The learner's function says itself that it is not written yet."""


_MISSING = object()


@dataclass(eq=False)
class CallRecord:
    """A call of the learner's function: its arguments, what was expected, and what came."""

    arguments: Mapping[str, Any]
    expected: Any = _MISSING
    got: Any = _MISSING

    def is_wrong(self, tolerance: float) -> bool:
        """Whether something else came than was expected."""
        known = self.expected is not _MISSING and self.got is not _MISSING
        return known and difference(self.got, self.expected, tolerance) is not None

    def lines(self) -> tuple[str, str]:
        """What was expected and what came, to be read. Two lines that are the same are none."""
        expected, got = ("" if x is _MISSING else fmt(x, 200) for x in (self.expected, self.got))
        return ("", "") if expected == got else (expected, got)


class Fault(Exception):
    """What is wrong with the learner's function: the rule, and a sentence for the learner."""

    def __init__(self, rule: str, diagnosis: str, call: CallRecord) -> None:
        super().__init__(diagnosis)
        self.rule, self.diagnosis, self.call = rule, diagnosis, call


class Trial(Call):
    """A call whose results get the reference's types; what is wrong with them becomes a Fault."""

    def __init__(
        self, exercise: Exercise, function: Function, arguments: Mapping[str, Any]
    ) -> None:
        super().__init__(arguments)
        self._learner, self._reference = function, exercise.reference
        self._exercise = exercise
        self._others: list[tuple[dict[str, Any], Any, Any]] = []
        self._rule_calls: list[CallRecord] = []  # calls that the current rule made
        self.has_gradients = False  # that were compared
        self.has_other_type = False  # perhaps right, but of another type than the reference's
        self.switched: set[str] = set()  # what it has set for everybody
        self.result, self.expected = self._call_both(arguments, refusable=True)
        self.both_raised = isinstance(self.expected, Exception)  # so there is no result

    def __call__(self, **changed: Any) -> Any:
        arguments = {**self.arguments, **changed}
        result, expected = self._call_both(arguments)
        if not isinstance(expected, Exception):
            self._others.append((changed, result, expected))
            self._rule_calls.append(CallRecord(arguments, expected, result))
        return result

    def without_comparison(self, **changed: Any) -> Any:
        arguments = {**self.arguments, **changed}
        result, _ = self._call_both(arguments)
        self._rule_calls.append(CallRecord(arguments, got=result))
        return result

    def start_rule(self) -> None:
        """Forget the calls of the rule before: a new one begins."""
        self._rule_calls.clear()

    def shown_call(self) -> CallRecord:
        """The call on which a broken rule is shown: this one where its result is not the book's,
        else the last that the rule made, and rather one whose result is not."""
        compare = self._exercise.compare
        expected = self.expected if compare else _MISSING
        calls = [CallRecord(self.arguments, expected, self.result), *reversed(self._rule_calls)]
        wrong = [x for x in calls if compare and x.is_wrong(self._exercise.tolerance)]
        return (wrong or calls[1:] or calls)[0]

    def _difference_message(
        self, changed: Mapping[str, Any], result: Any, expected: Any
    ) -> str | None:
        if isinstance(expected, Exception):
            return None
        message = difference(result, expected, self._exercise.tolerance)
        location = f"With {', '.join(as_statements(changed))}: " if changed else ""
        return location + message if message else None

    def error(self, **changed: Any) -> BaseException | None:
        arguments = {**self.arguments, **changed}
        result, error = self._call_learner(deep_copy(arguments))
        self._rule_calls.append(CallRecord(arguments, got=error or result))
        return error

    def check_gradients(self) -> None:
        """Raise a Fault where a gradient is not the reference's. Sets ``has_gradients``."""
        differentiated_part = self._exercise.differentiated_part

        def learner(**arguments: Any) -> Any:
            result, error = self._call_learner(arguments)
            if error is not None:
                message = f"When a gradient is required, it {error_message(error, self._learner)}"
                if "numpy" in str(error):
                    message = _NO_ARRAYS
                raise Fault(GRADIENTS, message, CallRecord(self.arguments)) from error
            return differentiated_part(arguments, cast_like(result, self.expected))

        def reference(**arguments: Any) -> Any:
            return differentiated_part(arguments, self._reference(**arguments))

        names = self._exercise.gradients
        comparison = compare_gradients(learner, reference, self.arguments, names, self._learner)
        if comparison.difference:
            raise Fault(GRADIENTS, comparison.difference, CallRecord(self.arguments))
        self.has_gradients = comparison.compared

    def any_difference(self) -> str | None:
        """How a result differs from the reference's, here or in a call that a rule made."""
        if not self._exercise.compare:
            return None
        calls = [({}, self.result, self.expected), *self._others]
        return next(filter(None, (self._difference_message(*call) for call in calls)), None)

    def _call_learner(self, arguments: dict[str, Any]) -> tuple[Any, BaseException | None]:
        """What the learner's function returns, and what it raises."""
        _check_signature(self._learner, arguments)
        switched: set[str] = set()
        try:
            with unswitched(arguments.values()) as switched:
                return self._learner(**arguments), None
        except TimeLimitExceeded:
            raise
        # SystemExit too, which would otherwise end the notebook's kernel.
        except BaseException as error:
            if is_stub_error(error, self._learner):
                raise Blank from None
            return None, error
        finally:
            self.switched |= switched

    def check_modes(self) -> None:
        """Raise a Fault where something that is set for everybody was left another."""
        names = names_used(self._learner)
        for name in sorted(self.switched):
            message = (
                f"It calls {name}, which stays set for the whole notebook: do without, or undo it."
            )
            if "()" in name:
                message = f"It leaves the network in a different mode, by {name}: undo that."
            elif name.startswith(("warnings", "np")) and not names & _FILTERS:
                continue  # an import may set a filter of its own
            raise Fault(SETTINGS_UNCHANGED, message, CallRecord(self.arguments))

    def _call_both(self, arguments: Mapping[str, Any], refusable: bool = False) -> tuple[Any, Any]:
        """The learner's result for copies of the arguments, in the reference's kind; and that's."""
        copies = deep_copy(dict(arguments))
        result, error = self._call_learner(copies)
        # After the learner's call, because rules may record what is called.
        expected = outcome(self._reference, arguments)
        if refusable and isinstance(expected, Exception):
            self._check_raises(arguments, expected, result, error)
            return None, expected
        if error is not None:
            message = f"It {error_message(error, self._learner)}"
            raise Fault(RUNS, message, CallRecord(arguments)) from error
        if isinstance(expected, Exception):
            return deep_copy(cast_like(result, self.expected)), expected
        for key, before in arguments.items():
            if changed(copies[key], deep_copy(before)):
                message = changed_argument_message(key, copies[key], arguments, self._learner)
                after = f"{key} after the call"
                raise Fault(
                    ARGUMENTS_UNCHANGED,
                    message,
                    CallRecord(arguments, {after: before}, {after: copies[key]}),
                )
        unlike = difference(result, expected)
        if unlike and unlike.kind in (
            ("type", "shape", "nan") if self._exercise.compare else ("type",)
        ):
            rule = FINITE if unlike.kind == "nan" else RETURN_TYPE
            raise Fault(rule, unlike, CallRecord(arguments, expected, result))
        cast = cast_like(result, expected)
        self.has_other_type |= _types(result) != _types(cast)
        return deep_copy(cast), expected

    def _check_raises(
        self,
        arguments: Mapping[str, Any],
        refusal: Exception,
        result: Any,
        error: BaseException | None,
    ) -> None:
        if not isinstance(error, type(refusal)):
            message = f"{fmt(result)} was returned"
            message = f"it {error_message(error, self._learner)}" if error else message
            kind = type(refusal).__name__
            message = f"Here a {kind} should be raised ({refusal}), but {message}."
            raise Fault(RAISES_AS_REFERENCE, message, CallRecord(arguments))


_FILTERS = {"simplefilter", "filterwarnings", "resetwarnings", "seterr"}
_NO_ARRAYS = (
    "No gradient comes back from an array of numpy, so nothing could be trained with it. Torch "
    "has the same functions, and they work on tensors."
)


def check_rules(exercise: Exercise, call: Trial) -> None:
    """Raise a Fault at the first rule that does not hold."""
    for rule, test in exercise.rules.items():
        call.start_rule()
        try:
            result = test(call)
            broken = isinstance(result, str) or result is not None and not bool(result)
        except (Fault, Blank):
            raise
        except Exception as error:
            message = f"This could not be checked: {error_text(error)}"
            raise Fault(rule, call.any_difference() or message, call.shown_call()) from error
        if broken:
            measured = result if isinstance(result, str) else call.any_difference()
            plain = f"For this input it is not true that {rule}."
            raise Fault(rule, measured or plain, call.shown_call())
    if different := call.any_difference():
        raise Fault(EQUALS_REFERENCE, different, call.shown_call())


def outcome(function: Function, arguments: Mapping[str, Any]) -> Any:
    """What a function returns for copies of its arguments, or the exception that it raises."""
    try:
        # All other modes are put back at the end, by run_guarded.
        if any(isinstance(part, nn.Module) for part in arguments.values()):
            with unswitched(arguments.values()):
                return function(**deep_copy(dict(arguments)))
        return function(**deep_copy(dict(arguments)))
    except TimeLimitExceeded:
        raise
    except Exception as error:
        return error
    except BaseException as error:  # SystemExit
        return RuntimeError(error_text(error))


def _check_signature(function: Function, arguments: Mapping[str, Any]) -> None:
    """A function must take the arguments by the names that its cell gave them."""
    try:
        inspect.signature(function).bind(**arguments)
    except TypeError:
        has = ", ".join(inspect.signature(function).parameters)
        message = (
            f"The arguments are {', '.join(arguments)}; your function has ({has}). Keep the def."
        )
        raise Fault(RUNS, message, CallRecord(arguments)) from None


def _types(value: Any) -> Any:
    """The type of a value, with the types of its parts."""
    if isinstance(value, (list, tuple)):
        return type(value), [_types(part) for part in value]
    return getattr(value, "dtype", type(value)), type(value)
