"""One call of a learner's function: looked at before a rule sees it, and then by every rule.

Longer than other modules: a call, what is compared of it, and the sentences about what is wrong
read best in one place.
"""

from __future__ import annotations

import dis
import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor, nn

from .clues import IN_PLACE, codes, names_used
from .gradients import gradients_differ
from .guard import Asked, TimeUp, unswitched
from .spec import Call, Exercise, Function
from .tracing import changed, first_write
from .values import as_python, brought, copied, difference, fmt, tensors

KIND = "it returns what the docstring says"
FINITE = "what should be a number is one"
ALONE = "it leaves its arguments as they were"
SAME = "its result is that of the book's own function"
REFUSES = "it refuses what the book's own function refuses"
GRADIENTS = "the gradients that come back are those of the book's own function"
RUNS = "it runs"
WORLD = "it leaves alone what is set for the whole notebook"


class Blank(Exception):
    """The learner's function says itself that it is not written yet."""


_NOTHING = object()


class Seen:
    """A call of the learner's function: its arguments, what was expected, and what came."""

    def __init__(
        self, given: Mapping[str, Any], expected: Any = _NOTHING, got: Any = _NOTHING
    ) -> None:
        self.given, self.expected, self.got = dict(given), expected, got

    def differs(self, tolerance: float) -> bool:
        """Whether something else came than was expected."""
        known = self.expected is not _NOTHING and self.got is not _NOTHING
        return known and difference(self.got, self.expected, tolerance) is not None

    def lines(self) -> tuple[str, str]:
        """What was expected and what came, to be read. Two lines that are the same are none."""
        expected, got = ("" if x is _NOTHING else fmt(x, 200) for x in (self.expected, self.got))
        return ("", "") if expected == got else (expected, got)


class Fault(Exception):
    """What is wrong with the learner's function: the rule, and a sentence for the learner."""

    def __init__(self, rule: str, diagnosis: str, seen: Seen) -> None:
        super().__init__(diagnosis)
        self.rule, self.diagnosis, self.seen = rule, diagnosis, seen


class Trial(Call):
    """A call whose results get the reference's types; what is wrong with them becomes a Fault."""

    def __init__(self, exercise: Exercise, function: Function, given: Mapping[str, Any]) -> None:
        super().__init__(given)
        self._learner, self._reference = function, exercise.reference
        self._exercise = exercise
        self._others: list[tuple[dict[str, Any], Any, Any]] = []
        self._looked: list[Seen] = []  # calls that the current rule made
        self.foreign = False  # perhaps right, but of another type than the reference's
        self.switched: set[str] = set()  # what it has set for everybody
        self.result, self.expected = self._asked(given, refusable=True)
        self.refused = isinstance(self.expected, Exception)  # both raised, so there is no result

    def __call__(self, **changed: Any) -> Any:
        given = {**self.arguments, **changed}
        result, expected = self._asked(given)
        if not isinstance(expected, Exception):
            self._others.append((changed, result, expected))
            self._looked.append(Seen(given, expected, result))
        return result

    def without_comparison(self, **changed: Any) -> Any:
        given = {**self.arguments, **changed}
        result, _ = self._asked(given)
        self._looked.append(Seen(given, got=result))
        return result

    def difference(self, **changed: Any) -> str | None:
        given = {**self.arguments, **changed}
        result, expected = self._asked(given, refusable=True)
        if told := self._told(changed, result, expected):
            self._looked.append(Seen(given, expected, result))
        return told

    def begin(self) -> None:
        """Forget the calls of the rule before: a new one begins."""
        self._looked.clear()

    def seen(self) -> Seen:
        """The call on which a broken rule is shown: this one where its result is not the book's,
        else the last of those that the rule looked at, and rather one whose result is not."""
        here = Seen(self.arguments, self.expected, self.result)
        if not self._exercise.compare:
            return self._looked[-1] if self._looked else Seen(self.arguments, got=self.result)
        unlike = [x for x in (here, *reversed(self._looked)) if x.differs(self._exercise.tolerance)]
        return next(iter(unlike or reversed(self._looked)), here)

    def _told(self, changed: Mapping[str, Any], result: Any, expected: Any) -> str | None:
        if isinstance(expected, Exception):
            return None
        told = difference(result, expected, self._exercise.tolerance)
        place = f"With {', '.join(listed(changed))}: " if changed else ""
        return place + told if told else None

    def error(self, **changed: Any) -> BaseException | None:
        given = {**self.arguments, **changed}
        result, problem = self._attempt(copied(given))
        self._looked.append(Seen(given, got=problem or result))
        return problem

    def check_gradients(self) -> bool:
        """Whether there are any to compare. Raises a Fault where one is not the reference's."""

        differentiated_part = self._exercise.differentiated_part

        def learner(**given: Any) -> Any:
            result, problem = self._attempt(given)
            if problem is not None:
                told = f"Where a gradient is asked for, it {_raises(problem, self._learner)}"
                if "numpy" in str(problem):
                    told = _NO_ARRAYS
                raise Fault(GRADIENTS, told, Seen(self.arguments)) from problem
            return differentiated_part(given, brought(result, self.expected))

        def reference(**given: Any) -> Any:
            return differentiated_part(given, self._reference(**given))

        names = self._exercise.gradients
        unlike = gradients_differ(learner, reference, self.arguments, names, self._learner)
        if unlike:
            raise Fault(GRADIENTS, unlike, Seen(self.arguments))
        return unlike is not None

    def differs(self) -> str | None:
        """How a result differs from the reference's, here or where a rule has looked."""
        if not self._exercise.compare:
            return None
        calls = [({}, self.result, self.expected), *self._others]
        return next(filter(None, (self._told(*call) for call in calls)), None)

    def _attempt(self, arguments: dict[str, Any]) -> tuple[Any, BaseException | None]:
        """What the learner's function returns, and what it raises."""
        _accepts(self._learner, arguments)
        switched: set[str] = set()
        try:
            with unswitched(arguments.values()) as switched:
                return self._learner(**arguments), None
        except TimeUp:
            raise
        # SystemExit too, which would otherwise end the notebook's kernel.
        except BaseException as problem:
            if _is_unwritten(problem, self._learner):
                raise Blank from None
            return None, problem
        finally:
            self.switched |= switched

    def check_modes(self) -> None:
        """Raises a Fault where something that is set for everybody was left another."""
        names = names_used(self._learner)
        for name in sorted(self.switched):
            told = (
                f"It calls {name}, which stays set for the whole notebook: do without, or undo it."
            )
            if "()" in name:
                told = f"The network is left in another mode than it came in, by {name}: undo that."
            elif name.startswith(("warnings", "np")) and not names & _FILTERS:
                continue  # an import may set a filter of its own
            raise Fault(WORLD, told, Seen(self.arguments))

    def _asked(self, given: Mapping[str, Any], refusable: bool = False) -> tuple[Any, Any]:
        """The learner's result for copies of the arguments, in the reference's kind; and that's."""
        mine = copied(dict(given))
        result, problem = self._attempt(mine)
        # After the learner's call, because rules may record what is called.
        expected = outcome(self._reference, given)
        if refusable and isinstance(expected, Exception):
            self._must_refuse(given, expected, result, problem)
            return None, expected
        if problem is not None:
            told = f"It {_raises(problem, self._learner)}"
            raise Fault(RUNS, told, Seen(given)) from problem
        if isinstance(expected, Exception):
            return copied(brought(result, self.expected)), expected
        for key, before in given.items():
            if changed(mine[key], copied(before)):
                told = _written_into(key, mine[key], given, self._learner)
                after = f"{key} after the call"
                raise Fault(ALONE, told, Seen(given, {after: before}, {after: mine[key]}))
        unlike = difference(result, expected)
        if unlike and unlike.what in (
            ("type", "shape", "nan") if self._exercise.compare else ("type",)
        ):
            rule = FINITE if unlike.what == "nan" else KIND
            raise Fault(rule, unlike, Seen(given, expected, result))
        kept = brought(result, expected)
        self.foreign |= _kinds(result) != _kinds(kept)
        return copied(kept), expected

    def _must_refuse(
        self,
        given: Mapping[str, Any],
        refusal: Exception,
        result: Any,
        problem: BaseException | None,
    ) -> None:
        if not isinstance(problem, type(refusal)):
            told = f"{fmt(result)} comes back"
            told = f"it {_raises(problem, self._learner)}" if problem else told
            kind = type(refusal).__name__
            told = f"Here a {kind} should be raised ({refusal}), and {told}."
            raise Fault(REFUSES, told, Seen(given))


_FILTERS = {"simplefilter", "filterwarnings", "resetwarnings", "seterr"}
_NO_ARRAYS = (
    "No gradient comes back from an array of numpy, so nothing could be trained with it. The same "
    "functions are torch's, and work on tensors."
)


def hold(exercise: Exercise, call: Trial) -> None:
    """Raise a Fault at the first rule that does not hold."""
    for rule, test in exercise.rules.items():
        call.begin()
        try:
            answer = test(call)
            broken = isinstance(answer, str) or answer is not None and not bool(answer)
        except (Fault, Blank):
            raise
        except Exception as problem:
            stumbled = f"This could not be checked: {sentence(problem)}"
            raise Fault(rule, call.differs() or stumbled, call.seen()) from problem
        if broken:
            measured = answer if isinstance(answer, str) else call.differs()
            plain = f"For this input it does not hold that {rule}."
            raise Fault(rule, measured or plain, call.seen())
    if told := call.differs():
        raise Fault(SAME, told, call.seen())


def outcome(function: Function, given: Mapping[str, Any]) -> Any:
    """What a function returns for copies of its arguments, or the exception that it raises."""
    try:
        # All other modes are put back at the end, by run_guarded.
        if any(isinstance(part, nn.Module) for part in given.values()):
            with unswitched(given.values()):
                return function(**copied(dict(given)))
        return function(**copied(dict(given)))
    except TimeUp:
        raise
    except Exception as problem:
        return problem
    except BaseException as problem:  # SystemExit
        return RuntimeError(sentence(problem))


#: Letters that the arguments of a verdict may take, one and all together.
_ONE, _ALL = 120, 300


def listed(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """The arguments as statements of Python that a learner can run; then a comment on the others.

    What is too long to be written, or no expression makes, is reached by ``exercise.failing``.

    >>> import torch
    >>> listed({"x": torch.tensor([0.5]), "step": print})
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


def _accepts(function: Function, arguments: Mapping[str, Any]) -> None:
    """A function must take the arguments by the names that its cell gave them."""
    try:
        inspect.signature(function).bind(**arguments)
    except TypeError:
        has = ", ".join(inspect.signature(function).parameters)
        told = f"The arguments are {', '.join(arguments)}; your function has ({has}). Keep the def."
        raise Fault(RUNS, told, Seen(arguments)) from None


def _written_into(name: str, now: Any, given: Mapping[str, Any], function: Function) -> str:
    """That an argument was changed by the call, by which line, and what to write instead."""
    line = first_write(function, given, name)
    told = f"The argument {name} was changed by the call"
    if not difference(now, copied(given[name]), 0.0):
        place = line.told(function) if line else ""
        return (
            f"{told}{place}: its requires_grad is another now, for whoever called. "
            f"Work on {name}.detach()."
        )
    found = line.writers()[:2] if line else []
    way = _instead(name, given[name], found)
    if not line or not found:
        return f"{told}{line.told(function) if line else ''}. {way[0].upper()}{way[1:]}."
    what = f"{' and '.join(found)} {'write' if found[1:] else 'writes'} into it"
    return f"{told}. {what}{line.told(function)}: {way}."


#: What torch has for a method that works in place and has no form without the underscore.
_MADE_ANEW = {
    "fill_": "torch.full_like",
    "zero_": "torch.zeros_like",
    "normal_": "torch.randn_like",
    "uniform_": "torch.rand_like",
    "random_": "torch.randint_like",
    "fill_diagonal_": "torch.diag_embed",
}


def _instead(name: str, value: Any, found: Sequence[str]) -> str:
    """What to write in the place of what writes into an argument."""
    kind = type(value).__name__
    first = next(iter(value), None) if isinstance(value, (list, tuple)) else None
    if next(tensors(value), None) is not None:
        way = f"work on {name}.clone()" if isinstance(value, Tensor) else "make new tensors"
        method = found[0][1:-2] if found and found[0].endswith("_()") else ""
        if method and hasattr(Tensor, method.rstrip("_")):
            way = f"without the underscore, .{method.rstrip('_')}(…) makes a new tensor"
        elif method:
            anew = _MADE_ANEW.get(method, "")
            way += f", for torch has no .{method.rstrip('_')}()"
            way += f"; a whole new tensor is made by {anew}" * bool(anew)
        elif found and found[0] in IN_PLACE.values():
            way = f"x = x {found[0][:-1]} … makes a new tensor, x {found[0]} … does not"
    elif isinstance(first, list):
        way = f"work on copies, [list(x) for x in {name}]"
    elif kind in ("list", "dict", "set", "Counter"):
        way = f"work on a copy, {kind}({name})"
    else:
        way = "work on a copy"
    return way


def _kinds(value: Any) -> Any:
    """The type of a value, with the types of its parts."""
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


def _raises(problem: BaseException, function: Any) -> str:
    """What was raised, and in which line of the learner's function."""
    code, line, trace = getattr(function, "__code__", None), None, problem.__traceback__
    while trace is not None and code is not None:
        if trace.tb_frame.f_code in codes(code):
            line = trace.tb_lineno - code.co_firstlineno + 1
        trace = trace.tb_next
    place = f" (line {line} of the cell's function)" if line else ""
    if isinstance(problem, Asked):
        return f"asks whoever reads with input(){place}: all that it needs is in its arguments."
    if isinstance(problem, SystemExit):
        return f"leaves Python with exit() or os._exit(){place}: a function ends with return."
    if isinstance(problem, KeyboardInterrupt):
        return f"raises KeyboardInterrupt{place}, which is what the stop button does."
    if isinstance(problem, RecursionError):
        place += ": it calls itself again and again. Which case returns without doing so?"
    return f"raises {sentence(problem)}{place}"
