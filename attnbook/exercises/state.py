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

from .clues import codes
from .diagnosis import alike
from .spec import Exercise, Function
from .trial import Fault, Seen, outcome
from .values import difference, size

ANEW = "every call begins anew"
SEEDS = "it leaves the random numbers of others alone"

NO_RESULT = object()
_NONE = object()  # where there is no such name, or none that can be copied
_GENERATORS = (random.Random, np.random.Generator, torch.Generator)
_CROSSED = 100  # calls
_BIG = 200_000  # numbers and letters: more is no notebook's list


@dataclass(frozen=True, eq=False)
class Place:
    """Somewhere outside of a call where a function can leave something."""

    told: str  # in code: tokens, double.memo
    kind: str  # "outside", "default", "attribute"
    read: Callable[[], Any]
    write: Callable[[Any], None]


class Kept:
    """The places where a function can leave something, as they are now."""

    def __init__(self, function: Any) -> None:
        self.places = list(_places(function, set()))
        self._before = _copies([place.read() for place in self.places])

    def changed(self) -> list[Place]:
        """Where something else is now."""
        pairs = zip(self.places, self._before)
        return [place for place, before in pairs if not _same(place.read(), before)]

    def iterators(self) -> list[Place]:
        """Where something stands that only goes on: what it is now cannot be compared."""
        return [place for place in self.places if hasattr(place.read(), "__next__")]

    def was_empty(self, place: Place) -> bool:
        """Whether there was a list, a set or the like in the beginning, and nothing in it."""
        before = self._before[self.places.index(place)]
        return hasattr(before, "__len__") and not isinstance(before, Tensor) and len(before) == 0

    def as_begun(self) -> list[Any]:
        """What stood in each place in the beginning, copied; _NONE where nothing was kept."""
        return _copies(self._before)


@contextlib.contextmanager
def fresh(kept: Kept, only: Place | None = None) -> Iterator[None]:
    """Meanwhile it is there as it was in the beginning: in all places, or in one."""
    now = [place.read() for place in kept.places]
    for place, before in zip(kept.places, kept.as_begun()):
        if before is not _NONE and only in (None, place):
            place.write(before)
    try:
        yield
    finally:
        for place, value in zip(kept.places, now):
            place.write(value)


def _copies(values: Sequence[Any]) -> list[Any]:
    """Deep copies, which share among them what the originals share."""
    memo: dict[int, Any] = {}
    found = []
    for value in values:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Python 3.12 warns of copied iterators
                big = size(value) > _BIG or isinstance(value, nn.Module)
                found.append(_NONE if big else copy.deepcopy(value, memo))
        except Exception:  # what cannot be copied cannot be put back
            found.append(_NONE)
    return found


def _same(now: Any, before: Any) -> bool:
    """Whether a value is still what it was; of what is unknown, that it is."""
    if now is before or before is _NONE:
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


def _places(function: Any, seen: set[int]) -> Iterator[Place]:
    """The places that a function and those of the same notebook that it calls can reach."""
    if not isinstance(function, types.FunctionType) or id(function) in seen:
        return
    seen.add(id(function))
    yield from _own(function)
    names = function.__globals__
    for name, read, write in _outside(function):
        value = read()
        if isinstance(value, types.ModuleType):
            continue
        if isinstance(value, types.FunctionType) and value.__globals__ is names:
            yield from _places(value, seen)
        elif isinstance(value, type) and value.__module__ == names.get("__name__"):
            yield from _of_class(value, seen)
        # Of what can be called, an object of the notebook's own class can hold something.
        elif not callable(value) or type(value).__module__ == names.get("__name__"):
            yield Place(name, "outside", read, write)
    yield from _places(getattr(function, "__wrapped__", None), seen)


def _outside(
    function: types.FunctionType,
) -> Iterator[tuple[str, Callable[[], Any], Callable[[Any], None]]]:
    """The names that a function uses from outside, with how they are read and written."""
    names = function.__globals__
    used = {
        step.argval: None
        for code in codes(function.__code__)
        for step in dis.get_instructions(code)
        if step.opname.rpartition("_")[2] in ("GLOBAL", "NAME")
    }
    builtin = names.get("__builtins__", {})
    builtin = builtin if isinstance(builtin, dict) else vars(builtin)

    def of_globals(name: str) -> tuple[str, Callable[[], Any], Callable[[Any], None]]:
        def write(value: Any) -> None:
            if value is _NONE:
                names.pop(name, None)
            else:
                names[name] = value

        return name, lambda: names.get(name, _NONE), write

    def of_cell(name: str, cell: Any) -> tuple[str, Callable[[], Any], Callable[[Any], None]]:
        def read() -> Any:
            try:
                return cell.cell_contents
            except ValueError:  # nothing has been put there yet
                return _NONE

        def write(value: Any) -> None:
            if value is not _NONE:
                cell.cell_contents = value

        return name, read, write

    for name in used:
        if name != function.__name__ and not (name not in names and name in builtin):
            yield of_globals(name)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        yield of_cell(name, cell)


def _own(function: types.FunctionType) -> Iterator[Place]:
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

        yield Place(name, "default", read, write)
    for name in function.__kwdefaults__ or ():

        def of_named(name: str = name) -> Any:
            return (function.__kwdefaults__ or {})[name]

        def put_named(value: Any, name: str = name) -> None:
            function.__kwdefaults__ = {**(function.__kwdefaults__ or {}), name: value}

        yield Place(name, "default", of_named, put_named)

    def attributes() -> Any:
        return {k: v for k, v in vars(function).items() if k != "__wrapped__"}

    def put_attributes(value: Any) -> None:
        for key in attributes():
            delattr(function, key)
        vars(function).update(value)

    yield Place(function.__name__, "attribute", attributes, put_attributes)


def _of_class(owner: type, seen: set[int]) -> Iterator[Place]:
    """What a class of the notebook holds for all its objects."""
    if id(owner) in seen:
        return
    seen.add(id(owner))
    for key, value in list(vars(owner).items()):
        inner = getattr(value, "__func__", value)
        if isinstance(inner, types.FunctionType):
            yield from _places(inner, seen)
        elif not key.startswith("__") and not callable(value):

            def read(key: str = key) -> Any:
                return vars(owner).get(key, _NONE)

            def write(value: Any, key: str = key) -> None:
                setattr(owner, key, value)

            yield Place(f"{owner.__name__}.{key}", "outside", read, write)


# What it does to results --------------------------------------------------------------------------


def state_fault(
    exercise: Exercise,
    function: Function,
    inputs: Sequence[Mapping[str, Any]],
    results: Sequence[Any],
    kept: Kept,
    failing: Mapping[str, Any] | None = None,
) -> Fault | None:
    """The fault of a function for which the same call gives another result later.

    ``results`` are what came for the inputs that were tried; ``failing`` is the call that failed,
    where one did.
    """
    if failing is not None and not (kept.changed() or kept.iterators()):
        return None  # where nothing can be seen it may as well draw: the broken rule knows more
    done = list(zip(inputs, results))
    differ = failing is not None or any(
        result is not NO_RESULT and not alike(handed(function, given), result, exercise.tolerance)
        for given, result in reversed(done)
    )
    tried = inputs[: len(results)]
    found = _two_results(exercise, function, tried, kept) if differ else None
    found = found or _unlike_fresh(exercise, function, inputs, kept, failing)
    if found is None:
        return None
    given, first, then = found
    left = kept.changed() or kept.iterators()
    told = _told(_culprit(exercise, function, given, kept, left), kept)
    return Fault(ANEW, told, Seen(given, first, then))


#: An input with what came first and what came later.
_Two: TypeAlias = tuple[Mapping[str, Any], Any, Any]


def _two_results(
    exercise: Exercise, function: Function, inputs: Sequence[Mapping[str, Any]], kept: Kept
) -> _Two | None:
    """The first input for which something else comes in another order of the same calls."""
    backward = {i: handed(function, inputs[i]) for i in reversed(range(len(inputs)))}
    for i, given in enumerate(inputs):
        again = handed(function, given)
        if not alike(again, backward[i], exercise.tolerance) and _steady(exercise, given):
            with fresh(kept):
                first = handed(function, given)
            moved = not alike(first, again, exercise.tolerance)
            return given, first if moved else backward[i], again
    return None


def _unlike_fresh(
    exercise: Exercise,
    function: Function,
    inputs: Sequence[Mapping[str, Any]],
    kept: Kept,
    failing: Mapping[str, Any] | None,
) -> _Two | None:
    """The first input for which something else comes where nothing is left from other calls."""
    if not kept.changed():
        return None
    known = {id(part) for given in inputs for part in given.values()}
    # Each beside one of the same form, for which a memo by form has something to give.
    tried = [one for given in inputs for one in (given, other_values(given))]
    tried += _crossed(inputs)
    if failing is not None and all(id(x) in known or not callable(x) for x in failing.values()):
        tried.append(failing)
    for given in tried:
        with fresh(kept):
            first = handed(function, given)
        again = handed(function, given)
        if not alike(first, again, exercise.tolerance) and _steady(exercise, given):
            return given, first, again
    return None


def _crossed(inputs: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Each input with one argument of another: a memo may ask for some of the arguments alone."""
    found = []
    for given, other in zip(inputs, [*inputs[1:], *inputs[:1]]):
        for key, value in other.items():
            if not isinstance(value, Tensor) and value is not given.get(key):
                found += [given, {**given, key: value}]
    return found[:_CROSSED]


def handed(function: Function, given: Mapping[str, Any], seed: int = 0) -> Any:
    """What a call gives or raises where the random numbers are the same every time."""
    _seed(seed)
    return outcome(function, {key: _renewed(value) for key, value in given.items()})


def _seed(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def _renewed(value: Any) -> Any:
    """A generator of random numbers that begins where this one stands; all else as it is."""
    if isinstance(value, torch.Generator):
        return torch.Generator(value.device).set_state(value.get_state())
    return (
        copy.deepcopy(value) if isinstance(value, (random.Random, np.random.Generator)) else value
    )


def _steady(exercise: Exercise, given: Mapping[str, Any]) -> bool:
    """Whether the book's own function gives the same twice: else the arguments change."""
    one, other = (handed(exercise.reference, given) for _ in range(2))
    return alike(one, other, exercise.tolerance)


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


def _culprit(
    exercise: Exercise,
    function: Function,
    given: Mapping[str, Any],
    kept: Kept,
    changed: Sequence[Place],
) -> Place | None:
    """Of the places where something was left, the one that makes the difference."""
    for place in changed[1:] and changed:
        again = handed(function, given)
        with fresh(kept, place):
            first = handed(function, given)
        if not alike(first, again, exercise.tolerance):
            return place
    return changed[0] if changed else None


def _told(place: Place | None, kept: Kept) -> str:
    head = "The function keeps something between calls: "
    if place is None:
        return (
            "Two calls with the same arguments give two results: the function keeps something "
            "between calls, or it draws random numbers of its own."
        )
    value = place.read()
    if place.kind == "attribute":
        parts = [f"{place.told}.{key}" for key in value] or [place.told]
        return f"{head}{_listed(parts)} stays on the function and is there in the next call."
    left = "still holds what the calls before have put there"
    if isinstance(value, (bool, int, float, str)) or value is None:
        left = "still has the value that the call before gave it"
    elif hasattr(value, "__next__") or isinstance(value, _GENERATORS):
        left = "goes on where the call before ended"
    elif not isinstance(value, Mapping) and kept.was_empty(place):
        left = "is still full from the call before"
    if place.kind == "default":
        return (
            f"{head}the default of `{place.told}` is made once, with the def, and {left}. "
            "Make it anew inside the function."
        )
    return f"{head}`{place.told}` stands outside the function and {left}. Make it anew inside."


def _listed(names: Sequence[str]) -> str:
    return " and ".join(f"`{name}`" for name in names[:2])


# Seeds --------------------------------------------------------------------------------------------

_OWN = {
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
    here, there = 410_213, 873_169  # seeds that nobody chooses
    _seed(here)
    before = _states()
    for given in inputs:
        handed(function, given, here)
        one = _states()
        if one == before:  # nothing was drawn
            continue
        handed(function, given, there)
        other = _states()
        for name, own in _OWN.items():
            if one[name] == other[name]:  # from two beginnings to the same end
                told = (
                    f"It sets the seed of all random numbers, as {name} does: whatever the "
                    f"notebook draws afterward is another draw. One of its own does no harm, {own}."
                )
                return Fault(SEEDS, told, Seen(given))
    return None
