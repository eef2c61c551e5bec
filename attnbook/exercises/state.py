"""Whether a function keeps something between calls, and what: a list outside of it, a default that
is written into, a counter, a memo that does not fit, an attribute of its own; or the seed of all
random numbers."""

from __future__ import annotations

import builtins
import copy
import dis
import types
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from .clues import code_objects
from .diagnosis import Arguments, same_outcome
from .seeds import call_seeded
from .spec import Exercise
from .trial import CallRecord, Fault
from .values import count_elements, difference
from .variants import mixed_inputs, other_values

NO_STATE = "every call starts fresh"

NO_RESULT = object()
_UNKNOWN = object()  # the copy of what cannot be copied, and so not be put back
_MAX_ELEMENTS = 200_000  # and characters: more is no notebook's list


class _Missing:
    """Where there is no such name. The class itself stands for that: copies of it are the same."""


@dataclass(frozen=True, eq=False)
class StateSlot:
    """Somewhere outside of a call where a function can leave something.

    That is a key of a dictionary, an attribute of an object, or, with a number for a key, a
    positional default of a function.
    """

    label: str  # in code: tokens, double.memo
    kind: str  # "outside", "default", "attribute"
    owner: Any
    key: Any

    def read(self) -> Any:
        if isinstance(self.owner, dict):
            return self.owner.get(self.key, _Missing)
        if isinstance(self.key, int):
            return self.owner.__defaults__[self.key]
        return getattr(self.owner, self.key)

    def write(self, value: Any) -> None:
        if value is _Missing:
            if isinstance(self.owner, dict):
                self.owner.pop(self.key, None)
        elif isinstance(self.owner, dict):
            self.owner[self.key] = value
        elif isinstance(self.key, int):
            before = self.owner.__defaults__
            self.owner.__defaults__ = (*before[: self.key], value, *before[self.key + 1 :])
        else:
            setattr(self.owner, self.key, value)


class StateCheck:
    """A function with the places where it can leave something, and what stands there at first."""

    def __init__(self, exercise: Exercise, function: Any) -> None:
        self._exercise, self._function = exercise, function
        self._slots = list(_slots(function, set()))
        self._before = _copies([slot.read() for slot in self._slots])

    def fault(
        self,
        inputs: Sequence[Arguments],
        results: Sequence[Any],
        failing: Arguments | None = None,
    ) -> Fault | None:
        """The fault of a function for which the same call gives another result later.

        ``results`` are what came for the inputs that were tried; ``failing`` is the call that
        failed, where one did.
        """
        if failing is not None and not self._left():
            return None  # where nothing can be seen it may as well draw: the broken rule knows more
        tried = inputs[: len(results)]
        differ = failing is not None or any(
            result is not NO_RESULT and not self._is_same(self._call(arguments), result)
            for arguments, result in reversed(list(zip(tried, results)))
        )
        evidence = self._depends_on_order(tried) if differ else None
        evidence = evidence or self._depends_on_history(inputs, failing)
        if evidence is None:
            return None
        message = self._message(self._responsible_slot(evidence.arguments))
        return Fault(NO_STATE, message, evidence)

    def _call(self, arguments: Arguments) -> Any:
        return call_seeded(self._function, arguments)

    def _first_call(self, arguments: Arguments, only: StateSlot | None = None) -> Any:
        """What comes where all that was left, or what was left in one place, is taken away."""
        now = [slot.read() for slot in self._slots]
        for slot, before in zip(self._slots, _copies(self._before)):
            if before is not _UNKNOWN and only in (None, slot):
                slot.write(before)
        try:
            return self._call(arguments)
        finally:
            for slot, value in zip(self._slots, now):
                slot.write(value)

    def _is_same(self, first: Any, second: Any) -> bool:
        return same_outcome(first, second, self._exercise.tolerance)

    def _is_deterministic(self, arguments: Arguments) -> bool:
        """Whether the book's own function gives the same twice: else the arguments change."""
        first, second = (call_seeded(self._exercise.reference, arguments) for _ in range(2))
        return self._is_same(first, second)

    def _changed(self) -> list[StateSlot]:
        """Where something else is now."""
        pairs = zip(self._slots, self._before)
        return [slot for slot, before in pairs if not _same(slot.read(), before)]

    def _left(self) -> list[StateSlot]:
        """Where something was left, or else where something stands that only goes on: what an
        iterator is now cannot be compared."""
        iterators = [slot for slot in self._slots if hasattr(slot.read(), "__next__")]
        return self._changed() or iterators

    def _depends_on_order(self, inputs: Sequence[Arguments]) -> CallRecord | None:
        """The first input for which something else comes in another order of the same calls."""
        backward = {i: self._call(inputs[i]) for i in reversed(range(len(inputs)))}
        for i, arguments in enumerate(inputs):
            again = self._call(arguments)
            if not self._is_same(again, backward[i]) and self._is_deterministic(arguments):
                first = self._first_call(arguments)
                expected = backward[i] if self._is_same(first, again) else first
                return CallRecord(arguments, expected, again)
        return None

    def _depends_on_history(
        self, inputs: Sequence[Arguments], failing: Arguments | None
    ) -> CallRecord | None:
        """The first input for which something else comes where nothing is left of other calls."""
        if not self._changed():
            return None
        known = {id(part) for arguments in inputs for part in arguments.values()}
        # Each beside one of the same form, for which a memo by form has something to give.
        tried = [one for arguments in inputs for one in (arguments, other_values(arguments))]
        tried += mixed_inputs(inputs)
        if failing is not None and all(id(x) in known or not callable(x) for x in failing.values()):
            tried.append(failing)
        for arguments in tried:
            first, again = self._first_call(arguments), self._call(arguments)
            if not self._is_same(first, again) and self._is_deterministic(arguments):
                return CallRecord(arguments, first, again)
        return None

    def _responsible_slot(self, arguments: Arguments) -> StateSlot | None:
        """Of the places where something was left, the one that makes the difference."""
        left = self._left()
        for slot in left[1:] and left:
            again, first = self._call(arguments), self._first_call(arguments, slot)
            if not self._is_same(first, again):
                return slot
        return left[0] if left else None

    def _message(self, slot: StateSlot | None) -> str:
        """What the function keeps, where, and what to do instead."""
        head = "The function keeps something between calls: "
        if slot is None:
            return (
                "Two calls with the same arguments give different results: the function keeps "
                "something between calls, or it draws random numbers of its own."
            )
        value, before = slot.read(), self._before[self._slots.index(slot)]
        if slot.kind == "attribute":
            names = [f"`{slot.label}.{key}`" for key in value if key != "__wrapped__"][:2]
            what = " and ".join(names) or f"`{slot.label}`"
            return f"{head}{what} stays on the function and is there in the next call."
        left = "still contains what earlier calls put there"
        if isinstance(value, (bool, int, float, str)) or value is None:
            left = "still has the value from the previous call"
        elif hasattr(value, "__next__"):
            left = "continues where the previous call ended"
        elif isinstance(before, (list, set, deque)) and not before:
            left = "is still filled from the previous call"
        if slot.kind == "default":
            return (
                f"{head}the default of `{slot.label}` is made once, with the def, and {left}. "
                "Create it inside the function."
            )
        return f"{head}`{slot.label}` is outside the function and {left}. Create it inside."


def _copies(values: Sequence[Any]) -> list[Any]:
    """Deep copies, which share among them what the originals share."""
    memo: dict[int, Any] = {}
    copies = []
    for value in values:
        try:
            big = count_elements(value) > _MAX_ELEMENTS or isinstance(value, nn.Module)
            copies.append(_UNKNOWN if big or value is _UNKNOWN else copy.deepcopy(value, memo))
        except Exception:
            copies.append(_UNKNOWN)
    return copies


def _same(now: Any, before: Any) -> bool:
    """Whether a value is still what it was; of what is unknown, that it is."""
    if now is before or before is _UNKNOWN:
        return True
    if type(now) is not type(before):
        return False
    try:
        if isinstance(now, (Tensor, np.ndarray)):
            return difference(torch.as_tensor(now), torch.as_tensor(before), 0.0) is None
        if isinstance(now, (str, bytes, int, float, complex, set, frozenset)):
            return now == before or now != now
        if isinstance(now, Mapping):
            return _same(list(now.items()), list(before.items()))
        if isinstance(now, (Sequence, deque)):
            return len(now) == len(before) and all(map(_same, now, before))
        if hasattr(now, "__dict__"):
            return _same(vars(now), vars(before))
        return repr(now) == repr(before) or " at 0x" in repr(now)
    except Exception:
        return True


def _slots(function: Any, visited: set[int]) -> Iterator[StateSlot]:
    """The places that a function and those of the same notebook that it calls can reach."""
    if not isinstance(function, types.FunctionType) or id(function) in visited:
        return
    visited.add(id(function))
    names, code = function.__globals__, function.__code__
    count = len(function.__defaults__ or ())
    for i, name in enumerate(code.co_varnames[code.co_argcount - count : code.co_argcount]):
        yield StateSlot(name, "default", function, i)
    yield StateSlot(function.__name__, "attribute", function, "__dict__")
    for name in _global_names(function):
        slot = StateSlot(name, "outside", names, name)
        value = slot.read()
        if isinstance(value, types.ModuleType):
            continue
        if isinstance(value, types.FunctionType) and value.__globals__ is names:
            yield from _slots(value, visited)
        # Of what can be called, an object of the notebook's own class can hold something.
        elif (
            value is _Missing
            or not callable(value)
            or type(value).__module__ == names.get("__name__")
        ):
            yield slot
    yield from _slots(getattr(function, "__wrapped__", None), visited)


def _global_names(function: types.FunctionType) -> list[str]:
    """The global names that a function uses: not its own, nor those of Python itself."""
    used = {
        step.argval: None
        for code in code_objects(function.__code__)
        for step in dis.get_instructions(code)
        if step.opname.rpartition("_")[2] in ("GLOBAL", "NAME")
    }
    known = function.__globals__
    return [
        name
        for name in used
        if name != function.__name__ and (name in known or not hasattr(builtins, name))
    ]
