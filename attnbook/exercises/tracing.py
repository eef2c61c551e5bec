"""Where in a learner's function something happens: the line that first writes into an argument,
and the calls that cut a gradient off. The function is run once more, and watched."""

from __future__ import annotations

import contextlib
import inspect
import linecache
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from .clues import DETACHING, IN_PLACE, code_objects, inplace_operations, names_used
from .guard import TimeLimitExceeded, unswitched
from .spec import Function
from .values import deep_copy, difference, tensors


@dataclass(frozen=True)
class Line:
    """A line of a function, or of another one of the same notebook that it calls."""

    code: CodeType
    number: int

    def text(self, function: Any) -> str:
        """The line for a learner: its number in the cell's function, and its text where known."""
        text = linecache.getline(self.code.co_filename, self.number).strip()
        inside = self.code in code_objects(getattr(function, "__code__", None))
        number = self.number - function.__code__.co_firstlineno + 1 if inside else 0
        parts = [f"line {number}"] * bool(number) + [text if len(text) < 80 else ""]
        location = ": ".join(part for part in parts if part)
        return f" ({location})" if location else ""

    def inplace_operations(self) -> list[str]:
        """What in this line changes something in place."""
        return inplace_operations(self.code, self.number)


def first_write(function: Any, arguments: Mapping[str, Any], name: str) -> Line | None:
    """The line after which an argument is first another than it was handed in."""
    if not hasattr(function, "__globals__"):
        return None
    copies = deep_copy(dict(arguments))
    before = deep_copy(copies[name])
    current: list[Line] = []  # the line that is being run
    first: list[Line] = []

    def watch(frame: FrameType, event: str, arg: Any) -> Any:
        if current and not first and changed(copies[name], before):
            first.append(current[0])
        caller: FrameType | None = frame.f_back if event == "return" else frame
        if caller is not None and caller.f_globals is function.__globals__:
            current[:] = [Line(caller.f_code, caller.f_lineno)]
        return watch

    def enter(frame: FrameType, event: str, arg: Any) -> Any:
        return watch if frame.f_globals is function.__globals__ else None

    previous = sys.gettrace()
    sys.settrace(enter)
    try:
        with unswitched(copies.values()):
            function(**copies)
    except TimeLimitExceeded:
        raise
    except BaseException:  # what it raises is reported elsewhere
        pass
    finally:
        sys.settrace(previous)
    return first[0] if first else None


def changed(current: Any, previous: Any) -> bool:
    """Whether an argument is another: its numbers, or whether it wants gradients."""
    if difference(current, previous, 0.0):
        return True
    pairs = zip(tensors(current), tensors(previous))
    return any(x.requires_grad != y.requires_grad for x, y in pairs)


def changed_argument_message(
    name: str, now: Any, arguments: Mapping[str, Any], function: Function
) -> str:
    """That an argument was changed by the call, by which line, and what to write instead."""
    line = first_write(function, arguments, name)
    place = line.text(function) if line else ""
    message = f"The argument {name} was changed by the call"
    if not difference(now, deep_copy(arguments[name]), 0.0):
        return (
            f"{message}{place}: its requires_grad is now different for the caller as well. Work on "
            f"{name}.detach()."
        )
    operations = line.inplace_operations()[:2] if line else []
    hint = _alternative(name, arguments[name], operations)
    if not operations:
        return f"{message}{place}. {hint[0].upper()}{hint[1:]}."
    what = f"{' and '.join(operations)} {'write' if operations[1:] else 'writes'} into it"
    return f"{message}. {what}{place}: {hint}."


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
            hint += f", because torch has no .{method.rstrip('_')}()"
        elif operations and operations[0] in IN_PLACE.values():
            hint = f"x = x {operations[0][:-1]} … makes a new tensor, x {operations[0]} … does not"
    elif isinstance(first, list):
        hint = f"work on copies, [list(x) for x in {name}]"
    elif kind in ("list", "dict", "set", "Counter"):
        hint = f"work on a copy, {kind}({name})"
    else:
        hint = "work on a copy"
    return hint


#: By the name that torch gives them: what ends the way of a gradient and can be seen to do so.
_DETECTED = {
    **{word: word for word in DETACHING if hasattr(Tensor, word) and word not in ("data", "float")},
    "__float__": "float",
    "__array__": "asarray",
    "tensor": "tensor",
    "as_tensor": "as_tensor",
}
_SWITCHES = {"no_grad", "inference_mode", "set_grad_enabled"}


class _DetachWatch(TorchFunctionMode):
    """Notes where a tensor that wants a gradient goes into what gives back none."""

    def __init__(self, function: Any) -> None:
        super().__init__()
        self._space = getattr(inspect.unwrap(function), "__globals__", None)
        self._switches = bool(names_used(function) & _SWITCHES) or hasattr(function, "__wrapped__")
        self.noted: dict[str, Line] = {}

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if any(x.requires_grad for x in tensors(list(args))):
            word = self._word(func)
            if word and word not in self.noted and (line := self._line()):
                self.noted[word] = line
        return func(*args, **(kwargs or {}))

    def _word(self, func: Any) -> str | None:
        name = getattr(func, "__name__", "")
        if name == "__get__":
            owner = getattr(getattr(func, "__self__", None), "__name__", "")
            return "data" if owner == "data" else None
        if name in _DETECTED:
            return _DETECTED[name]
        # Some of torch's layers switch it off themselves for a moment.
        if torch.is_grad_enabled() or not self._switches:
            return None
        return "inference_mode" if torch.is_inference_mode_enabled() else "no_grad"

    def _line(self) -> Line | None:
        """The line of the learner's that is being run; None where none of it is."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and frame.f_globals is not self._space:
            frame = frame.f_back
        return Line(frame.f_code, frame.f_lineno) if frame else None


def detach_hints(function: Any, run: Callable[[], Any]) -> list[str]:
    """Half-sentences on what in a function cuts a gradient off while ``run()`` runs it."""
    watch = _DetachWatch(function)
    with contextlib.suppress(Exception), watch:
        run()
    used = names_used(function)
    noted = dict(watch.noted)
    if "no_grad" in noted and "no_grad" not in used and "set_grad_enabled" in used:
        noted = {"set_grad_enabled" if k == "no_grad" else k: line for k, line in noted.items()}
    return [DETACHING[word] + line.text(function) for word, line in noted.items()]
