"""Whether a function keeps something between calls, and what: a list outside of it, a default that
is written into, a counter, a memo that does not fit, an attribute of its own; or the seed of all
random numbers."""

from __future__ import annotations

import contextlib
import copy
import dis
import random
import types
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import Tensor, nn

from .clues import code_objects
from .diagnosis import same_outcome
from .spec import Exercise, Function
from .trial import CallRecord, Fault, outcome
from .values import count_elements, difference

NO_STATE = "every call begins anew"
SEEDS_UNCHANGED = "it leaves the random numbers of others alone"

NO_RESULT = object()
_MISSING = object()  # where there is no such name, or none that can be copied
_GENERATORS = (random.Random, np.random.Generator, torch.Generator)
_MAX_MIXED = 100  # calls
_MAX_ELEMENTS = 200_000  # and characters: more is no notebook's list


@dataclass(frozen=True, eq=False)
class StateSlot:
    """Somewhere outside of a call where a function can leave something."""

    label: str  # in code: tokens, double.memo
    kind: str  # "outside", "default", "attribute"
    read: Callable[[], Any]
    write: Callable[[Any], None]


class SavedState:
    """The places where a function can leave something, as they are now."""

    def __init__(self, function: Any) -> None:
        self.slots = list(_slots(function, set()))
        self._before = _copies([slot.read() for slot in self.slots])

    def changed(self) -> list[StateSlot]:
        """Where something else is now."""
        pairs = zip(self.slots, self._before)
        return [slot for slot, before in pairs if not _same(slot.read(), before)]

    def iterators(self) -> list[StateSlot]:
        """Where something stands that only goes on: what it is now cannot be compared."""
        return [slot for slot in self.slots if hasattr(slot.read(), "__next__")]

    def was_empty(self, slot: StateSlot) -> bool:
        """Whether there was a list, a set or the like in the beginning, and nothing in it."""
        before = self._before[self.slots.index(slot)]
        return hasattr(before, "__len__") and not isinstance(before, Tensor) and len(before) == 0

    def initial_values(self) -> list[Any]:
        """Copies of the initial values; _MISSING where there is none that could be copied."""
        return _copies(self._before)


@contextlib.contextmanager
def restored(saved: SavedState, only: StateSlot | None = None) -> Iterator[None]:
    """Meanwhile it is there as it was in the beginning: in all places, or in one."""
    now = [slot.read() for slot in saved.slots]
    for slot, before in zip(saved.slots, saved.initial_values()):
        if before is not _MISSING and only in (None, slot):
            slot.write(before)
    try:
        yield
    finally:
        for slot, value in zip(saved.slots, now):
            slot.write(value)


def _copies(values: Sequence[Any]) -> list[Any]:
    """Deep copies, which share among them what the originals share."""
    memo: dict[int, Any] = {}
    copies = []
    for value in values:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Python 3.12 warns of copied iterators
                big = count_elements(value) > _MAX_ELEMENTS or isinstance(value, nn.Module)
                copies.append(_MISSING if big else copy.deepcopy(value, memo))
        except Exception:  # what cannot be copied cannot be put back
            copies.append(_MISSING)
    return copies


def _same(now: Any, before: Any) -> bool:
    """Whether a value is still what it was; of what is unknown, that it is."""
    if now is before or before is _MISSING:
        return True
    if type(now) is not type(before):
        return False
    try:
        if isinstance(now, (Tensor, np.ndarray)):
            return difference(torch.as_tensor(now), torch.as_tensor(before), 0.0) is None
        if isinstance(now, torch.Generator):
            return torch.equal(now.get_state(), before.get_state())
        if isinstance(now, random.Random):
            return now.getstate() == before.getstate()
        if isinstance(now, (str, bytes, int, float, complex, set, frozenset)):
            return now == before or now != now
        if isinstance(now, Mapping):
            pairs = zip(now.items(), before.items())
            return len(now) == len(before) and all(_same(one, other) for one, other in pairs)
        if isinstance(now, Sequence) or type(now).__name__ == "deque":
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
    yield from _function_slots(function)
    names = function.__globals__
    for name, read, write in _outer_names(function):
        value = read()
        if isinstance(value, types.ModuleType):
            continue
        if isinstance(value, types.FunctionType) and value.__globals__ is names:
            yield from _slots(value, visited)
        elif isinstance(value, type) and value.__module__ == names.get("__name__"):
            yield from _class_slots(value, visited)
        # Of what can be called, an object of the notebook's own class can hold something.
        elif not callable(value) or type(value).__module__ == names.get("__name__"):
            yield StateSlot(name, "outside", read, write)
    yield from _slots(getattr(function, "__wrapped__", None), visited)


def _outer_names(
    function: types.FunctionType,
) -> Iterator[tuple[str, Callable[[], Any], Callable[[Any], None]]]:
    """The names that a function uses from outside, with how they are read and written."""
    names = function.__globals__
    used = {
        step.argval: None
        for code in code_objects(function.__code__)
        for step in dis.get_instructions(code)
        if step.opname.rpartition("_")[2] in ("GLOBAL", "NAME")
    }
    builtin = names.get("__builtins__", {})
    builtin = builtin if isinstance(builtin, dict) else vars(builtin)

    def of_globals(name: str) -> tuple[str, Callable[[], Any], Callable[[Any], None]]:
        def write(value: Any) -> None:
            if value is _MISSING:
                names.pop(name, None)
            else:
                names[name] = value

        return name, lambda: names.get(name, _MISSING), write

    def of_cell(name: str, cell: Any) -> tuple[str, Callable[[], Any], Callable[[Any], None]]:
        def read() -> Any:
            try:
                return cell.cell_contents
            except ValueError:  # nothing has been put there yet
                return _MISSING

        def write(value: Any) -> None:
            if value is not _MISSING:
                cell.cell_contents = value

        return name, read, write

    for name in used:
        if name != function.__name__ and not (name not in names and name in builtin):
            yield of_globals(name)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        yield of_cell(name, cell)


def _function_slots(function: types.FunctionType) -> Iterator[StateSlot]:
    """A function's defaults and attributes."""
    code = function.__code__
    count = len(function.__defaults__ or ())
    positional = code.co_varnames[code.co_argcount - count : code.co_argcount]
    for i, name in enumerate(positional):

        def read(i: int = i) -> Any:
            return (function.__defaults__ or ())[i]

        def write(value: Any, i: int = i) -> None:
            defaults = function.__defaults__ or ()
            function.__defaults__ = (*defaults[:i], value, *defaults[i + 1 :])

        yield StateSlot(name, "default", read, write)
    for name in function.__kwdefaults__ or ():

        def of_named(name: str = name) -> Any:
            return (function.__kwdefaults__ or {})[name]

        def put_named(value: Any, name: str = name) -> None:
            function.__kwdefaults__ = {**(function.__kwdefaults__ or {}), name: value}

        yield StateSlot(name, "default", of_named, put_named)

    def attributes() -> Any:
        return {k: v for k, v in vars(function).items() if k != "__wrapped__"}

    def put_attributes(value: Any) -> None:
        for key in attributes():
            delattr(function, key)
        vars(function).update(value)

    yield StateSlot(function.__name__, "attribute", attributes, put_attributes)


def _class_slots(owner: type, visited: set[int]) -> Iterator[StateSlot]:
    """What a class of the notebook holds for all its objects."""
    if id(owner) in visited:
        return
    visited.add(id(owner))
    for key, value in list(vars(owner).items()):
        inner = getattr(value, "__func__", value)
        if isinstance(inner, types.FunctionType):
            yield from _slots(inner, visited)
        elif not key.startswith("__") and not callable(value):

            def read(key: str = key) -> Any:
                return vars(owner).get(key, _MISSING)

            def write(value: Any, key: str = key) -> None:
                setattr(owner, key, value)

            yield StateSlot(f"{owner.__name__}.{key}", "outside", read, write)


# What it does to results --------------------------------------------------------------------------


def state_fault(
    exercise: Exercise,
    function: Function,
    inputs: Sequence[Mapping[str, Any]],
    results: Sequence[Any],
    saved: SavedState,
    failing: Mapping[str, Any] | None = None,
) -> Fault | None:
    """The fault of a function for which the same call gives another result later.

    ``results`` are what came for the inputs that were tried; ``failing`` is the call that failed,
    where one did.
    """
    if failing is not None and not (saved.changed() or saved.iterators()):
        return None  # where nothing can be seen it may as well draw: the broken rule knows more
    done = list(zip(inputs, results))
    differ = failing is not None or any(
        result is not NO_RESULT
        and not same_outcome(call_seeded(function, arguments), result, exercise.tolerance)
        for arguments, result in reversed(done)
    )
    tried = inputs[: len(results)]
    evidence = _depends_on_order(exercise, function, tried, saved) if differ else None
    evidence = evidence or _depends_on_history(exercise, function, inputs, saved, failing)
    if evidence is None:
        return None
    arguments, first, then = evidence
    left = saved.changed() or saved.iterators()
    message = _state_message(_responsible_slot(exercise, function, arguments, saved, left), saved)
    return Fault(NO_STATE, message, CallRecord(arguments, first, then))


#: An input with what came first and what came later.
_TwoResults: TypeAlias = tuple[Mapping[str, Any], Any, Any]


def _depends_on_order(
    exercise: Exercise, function: Function, inputs: Sequence[Mapping[str, Any]], saved: SavedState
) -> _TwoResults | None:
    """The first input for which something else comes in another order of the same calls."""
    backward = {i: call_seeded(function, inputs[i]) for i in reversed(range(len(inputs)))}
    for i, arguments in enumerate(inputs):
        again = call_seeded(function, arguments)
        if not same_outcome(again, backward[i], exercise.tolerance) and _is_deterministic(
            exercise, arguments
        ):
            with restored(saved):
                first = call_seeded(function, arguments)
            moved = not same_outcome(first, again, exercise.tolerance)
            return arguments, first if moved else backward[i], again
    return None


def _depends_on_history(
    exercise: Exercise,
    function: Function,
    inputs: Sequence[Mapping[str, Any]],
    saved: SavedState,
    failing: Mapping[str, Any] | None,
) -> _TwoResults | None:
    """The first input for which something else comes where nothing is left from other calls."""
    if not saved.changed():
        return None
    known = {id(part) for arguments in inputs for part in arguments.values()}
    # Each beside one of the same form, for which a memo by form has something to give.
    tried = [one for arguments in inputs for one in (arguments, other_values(arguments))]
    tried += _mixed_inputs(inputs)
    if failing is not None and all(id(x) in known or not callable(x) for x in failing.values()):
        tried.append(failing)
    for arguments in tried:
        with restored(saved):
            first = call_seeded(function, arguments)
        again = call_seeded(function, arguments)
        if not same_outcome(first, again, exercise.tolerance) and _is_deterministic(
            exercise, arguments
        ):
            return arguments, first, again
    return None


def _mixed_inputs(inputs: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Each input with one argument of another: a memo may ask for some of the arguments alone."""
    mixed = []
    for arguments, other in zip(inputs, [*inputs[1:], *inputs[:1]]):
        for key, value in other.items():
            if not isinstance(value, Tensor) and value is not arguments.get(key):
                mixed += [arguments, {**arguments, key: value}]
    return mixed[:_MAX_MIXED]


def call_seeded(function: Function, arguments: Mapping[str, Any], seed: int = 0) -> Any:
    """What a call gives or raises where the random numbers are the same every time."""
    _seed(seed)
    return outcome(function, {key: _copy_generator(value) for key, value in arguments.items()})


def _seed(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def _copy_generator(value: Any) -> Any:
    """A generator of random numbers that begins where this one stands; all else as it is."""
    if isinstance(value, torch.Generator):
        return torch.Generator(value.device).set_state(value.get_state())
    return (
        copy.deepcopy(value) if isinstance(value, (random.Random, np.random.Generator)) else value
    )


def _is_deterministic(exercise: Exercise, arguments: Mapping[str, Any]) -> bool:
    """Whether the book's own function gives the same twice: else the arguments change."""
    first, second = (call_seeded(exercise.reference, arguments) for _ in range(2))
    return same_outcome(first, second, exercise.tolerance)


def other_values(value: Any) -> Any:
    """Something of the same form with other values, whether or not they make sense.

    >>> other_values({"x": torch.tensor([1.0, 2.0]), "words": ["a", "b"], "n": 3})
    {'x': tensor([1.8000, 0.9000]), 'words': ['b', 'a'], 'n': 3}
    """
    if isinstance(value, Tensor):
        turned = value.detach().flip(tuple(range(value.dim())))
        return 0.9 * turned if value.is_floating_point() else turned
    if isinstance(value, float):
        return 0.9 * value
    if isinstance(value, Mapping):
        return {key: other_values(part) for key, part in value.items()}
    if type(value) in (list, tuple):
        parts = [other_values(part) for part in value]
        tensor = any(isinstance(part, Tensor) for part in value)
        return type(value)(parts if tensor else reversed(parts))
    return value


def _responsible_slot(
    exercise: Exercise,
    function: Function,
    arguments: Mapping[str, Any],
    saved: SavedState,
    changed: Sequence[StateSlot],
) -> StateSlot | None:
    """Of the places where something was left, the one that makes the difference."""
    for slot in changed[1:] and changed:
        again = call_seeded(function, arguments)
        with restored(saved, slot):
            first = call_seeded(function, arguments)
        if not same_outcome(first, again, exercise.tolerance):
            return slot
    return changed[0] if changed else None


def _state_message(slot: StateSlot | None, saved: SavedState) -> str:
    head = "The function keeps something between calls: "
    if slot is None:
        return (
            "Two calls with the same arguments give two results: the function keeps something "
            "between calls, or it draws random numbers of its own."
        )
    value = slot.read()
    if slot.kind == "attribute":
        parts = [f"{slot.label}.{key}" for key in value] or [slot.label]
        return f"{head}{_join(parts)} stays on the function and is there in the next call."
    left = "still holds what the calls before have put there"
    if isinstance(value, (bool, int, float, str)) or value is None:
        left = "still has the value that the call before gave it"
    elif hasattr(value, "__next__") or isinstance(value, _GENERATORS):
        left = "goes on where the call before ended"
    elif not isinstance(value, Mapping) and saved.was_empty(slot):
        left = "is still full from the call before"
    if slot.kind == "default":
        return (
            f"{head}the default of `{slot.label}` is made once, with the def, and {left}. "
            "Make it anew inside the function."
        )
    return f"{head}`{slot.label}` stands outside the function and {left}. Make it anew inside."


def _join(names: Sequence[str]) -> str:
    return " and ".join(f"`{name}`" for name in names[:2])


# Seeds --------------------------------------------------------------------------------------------

_OWN_GENERATOR = {
    "torch.manual_seed": "torch.Generator().manual_seed(…)",
    "random.seed": "random.Random(…)",
    "np.random.seed": "np.random.default_rng(…)",
}


def _states() -> dict[str, Any]:
    state = np.random.get_state()
    return {
        "torch.manual_seed": torch.get_rng_state().numpy().tobytes(),
        "random.seed": random.getstate(),
        "np.random.seed": [part.tobytes() if hasattr(part, "tobytes") else part for part in state],
    }


def seed_fault(function: Function, inputs: Sequence[Mapping[str, Any]]) -> Fault | None:
    """The fault of a function that sets the seed of everybody's random numbers."""
    first_seed, second_seed = 410_213, 873_169  # seeds that nobody chooses
    _seed(first_seed)
    initial = _states()
    for arguments in inputs:
        call_seeded(function, arguments, first_seed)
        first = _states()
        if first == initial:  # nothing was drawn
            continue
        call_seeded(function, arguments, second_seed)
        second = _states()
        for name, own in _OWN_GENERATOR.items():
            if first[name] == second[name]:  # from two beginnings to the same end
                message = (
                    f"It sets the seed of all random numbers, as {name} does: whatever the "
                    f"notebook draws afterward is another draw. One of its own does no harm, {own}."
                )
                return Fault(SEEDS_UNCHANGED, message, CallRecord(arguments))
    return None
