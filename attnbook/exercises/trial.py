"""One call of a learner's function: checked before a rule sees it, and then by every rule.

Longer than other modules: a call, what is compared of it, and the sentences about what is wrong
read best in one place.
"""

from __future__ import annotations

import dis
import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor, nn

from .clues import IN_PLACE, code_objects, names_used
from .gradients import compare_gradients
from .guard import InputRequested, TimeLimitExceeded, unswitched
from .spec import Call, Exercise, Function
from .tracing import changed, first_write
from .values import as_python, cast_like, deep_copy, difference, fmt, tensors

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


class CallRecord:
    """A call of the learner's function: its arguments, what was expected, and what came."""

    def __init__(
        self, arguments: Mapping[str, Any], expected: Any = _MISSING, got: Any = _MISSING
    ) -> None:
        self.arguments, self.expected, self.got = dict(arguments), expected, got

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

    def difference(self, **changed: Any) -> str | None:
        arguments = {**self.arguments, **changed}
        result, expected = self._call_both(arguments, refusable=True)
        if message := self._difference_message(changed, result, expected):
            self._rule_calls.append(CallRecord(arguments, expected, result))
        return message

    def start_rule(self) -> None:
        """Forget the calls of the rule before: a new one begins."""
        self._rule_calls.clear()

    def shown_call(self) -> CallRecord:
        """The call on which a broken rule is shown: this one where its result is not the book's,
        else the last that the rule made, and rather one whose result is not."""
        own = CallRecord(self.arguments, self.expected, self.result)
        if not self._exercise.compare:
            return (
                self._rule_calls[-1]
                if self._rule_calls
                else CallRecord(self.arguments, got=self.result)
            )
        wrong = [
            x for x in (own, *reversed(self._rule_calls)) if x.is_wrong(self._exercise.tolerance)
        ]
        return next(iter(wrong or reversed(self._rule_calls)), own)

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
                message = (
                    f"Where a gradient is asked for, it {_error_message(error, self._learner)}"
                )
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
            if _is_stub_error(error, self._learner):
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
                message = (
                    f"The network is left in another mode than it came in, by {name}: undo that."
                )
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
            message = f"It {_error_message(error, self._learner)}"
            raise Fault(RUNS, message, CallRecord(arguments)) from error
        if isinstance(expected, Exception):
            return deep_copy(cast_like(result, self.expected)), expected
        for key, before in arguments.items():
            if changed(copies[key], deep_copy(before)):
                message = _changed_argument_message(key, copies[key], arguments, self._learner)
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
            message = f"{fmt(result)} comes back"
            message = f"it {_error_message(error, self._learner)}" if error else message
            kind = type(refusal).__name__
            message = f"Here a {kind} should be raised ({refusal}), and {message}."
            raise Fault(RAISES_AS_REFERENCE, message, CallRecord(arguments))


_FILTERS = {"simplefilter", "filterwarnings", "resetwarnings", "seterr"}
_NO_ARRAYS = (
    "No gradient comes back from an array of numpy, so nothing could be trained with it. The same "
    "functions are torch's, and work on tensors."
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
            plain = f"For this input it does not hold that {rule}."
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


#: Letters that the arguments of a verdict may take, one and all together.
_ONE, _ALL = 120, 300


def as_statements(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """The arguments as statements of Python that a learner can run; then a comment on the others.

    What is too long to be written, or no expression makes, is reached by ``exercise.failing``.

    >>> import torch
    >>> as_statements({"x": torch.tensor([0.5]), "step": print})
    ('x = torch.tensor([0.5])', 'step = exercise.failing["step"]', '# step is print')
    """
    written = {key: as_python(value, _ONE) for key, value in arguments.items()}
    while sum(len(text or "") for text in written.values()) > _ALL:
        longest = max(written, key=lambda key: len(written[key] or ""))
        written[longest] = None
    texts = [
        f"{key} = " + (f'exercise.failing["{key}"]' if text is None else text)
        for key, text in written.items()
    ]
    others = [f"{k} is {fmt(arguments[k], 60)}" for k, text in written.items() if text is None]
    return (*texts, *(["# " + "; ".join(others)] * bool(others)))


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


def _changed_argument_message(
    name: str, now: Any, arguments: Mapping[str, Any], function: Function
) -> str:
    """That an argument was changed by the call, by which line, and what to write instead."""
    line = first_write(function, arguments, name)
    message = f"The argument {name} was changed by the call"
    if not difference(now, deep_copy(arguments[name]), 0.0):
        place = line.text(function) if line else ""
        return (
            f"{message}{place}: its requires_grad is another now, for whoever called. "
            f"Work on {name}.detach()."
        )
    operations = line.inplace_operations()[:2] if line else []
    hint = _alternative(name, arguments[name], operations)
    if not line or not operations:
        return f"{message}{line.text(function) if line else ''}. {hint[0].upper()}{hint[1:]}."
    what = f"{' and '.join(operations)} {'write' if operations[1:] else 'writes'} into it"
    return f"{message}. {what}{line.text(function)}: {hint}."


#: What torch has for a method that works in place and has no form without the underscore.
_NEW_TENSOR = {
    "fill_": "torch.full_like",
    "zero_": "torch.zeros_like",
    "normal_": "torch.randn_like",
    "uniform_": "torch.rand_like",
    "random_": "torch.randint_like",
    "fill_diagonal_": "torch.diag_embed",
}


def _alternative(name: str, value: Any, operations: Sequence[str]) -> str:
    """What to write in the place of what writes into an argument."""
    kind = type(value).__name__
    first = next(iter(value), None) if isinstance(value, (list, tuple)) else None
    if next(tensors(value), None) is not None:
        hint = f"work on {name}.clone()" if isinstance(value, Tensor) else "make new tensors"
        method = operations[0][1:-2] if operations and operations[0].endswith("_()") else ""
        if method and hasattr(Tensor, method.rstrip("_")):
            hint = f"without the underscore, .{method.rstrip('_')}(…) makes a new tensor"
        elif method:
            anew = _NEW_TENSOR.get(method, "")
            hint += f", for torch has no .{method.rstrip('_')}()"
            hint += f"; a whole new tensor is made by {anew}" * bool(anew)
        elif operations and operations[0] in IN_PLACE.values():
            hint = f"x = x {operations[0][:-1]} … makes a new tensor, x {operations[0]} … does not"
    elif isinstance(first, list):
        hint = f"work on copies, [list(x) for x in {name}]"
    elif kind in ("list", "dict", "set", "Counter"):
        hint = f"work on a copy, {kind}({name})"
    else:
        hint = "work on a copy"
    return hint


def _types(value: Any) -> Any:
    """The type of a value, with the types of its parts."""
    if isinstance(value, (list, tuple)):
        return type(value), [_types(part) for part in value]
    return getattr(value, "dtype", type(value)), type(value)


def _is_stub_error(error: BaseException, function: Any) -> bool:
    """Whether a ``raise NotImplementedError`` of the learner's own was reached.

    Torch raises the same exception where an operation does not exist for a type of numbers.
    """
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or not isinstance(error, NotImplementedError):
        return False
    code = trace.tb_frame.f_code.co_code
    by_raise = code[trace.tb_lasti] == dis.opmap["RAISE_VARARGS"]
    return by_raise and trace.tb_frame.f_globals is function.__globals__


def error_text(error: BaseException) -> str:
    """An exception in one line."""
    try:
        text = "".join(x for x in " ".join(str(error).split()) if x.isprintable())
    except Exception:
        text = ""
    return f"{type(error).__name__}: {text[:300]}" if text else type(error).__name__


def _error_message(error: BaseException, function: Any) -> str:
    """What was raised, and in which line of the learner's function."""
    code, line, trace = getattr(function, "__code__", None), None, error.__traceback__
    while trace is not None and code is not None:
        if trace.tb_frame.f_code in code_objects(code):
            line = trace.tb_lineno - code.co_firstlineno + 1
        trace = trace.tb_next
    location = f" (line {line} of the cell's function)" if line else ""
    if isinstance(error, InputRequested):
        return f"asks whoever reads with input(){location}: all that it needs is in its arguments."
    if isinstance(error, SystemExit):
        return f"leaves Python with exit() or os._exit(){location}: a function ends with return."
    if isinstance(error, KeyboardInterrupt):
        return f"raises KeyboardInterrupt{location}, which is what the stop button does."
    if isinstance(error, RecursionError):
        location += ": it calls itself again and again. Which case returns without doing so?"
    return f"raises {error_text(error)}{location}"
