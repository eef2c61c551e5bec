"""Which of the mistakes that an exercise knows a learner's function makes, if any."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .spec import Exercise, Function, Mistake
from .trial import Fault, Trial, hold, outcome
from .values import difference

Given = Mapping[str, Any]


def known_mistake(
    exercise: Exercise, function: Function, inputs: Sequence[Given], failing: Given, fault: Fault
) -> str | None:
    """The diagnosis of a mistake that computes what the function computes, where it matters.

    That is: on every input; or, where one of the two raises on some, on every input for which both
    give a result, among them the one that failed. A mistake that is wrong on none of these inputs
    must break the same rule in the same words: a sentence that fits by chance points elsewhere.
    """
    mine = [outcome(function, given) for given in inputs]
    right = [outcome(exercise.reference, given) for given in inputs]
    place = next(i for i, given in enumerate(inputs) if given is failing)
    likely = None
    for mistake in exercise.mistakes:
        theirs = _as_long_as_alike(mistake.function, inputs, mine, exercise.tolerance)
        if len(theirs) < len(inputs):
            continue
        numbers = range(len(inputs))
        both = [i for i in numbers if not _failed(mine[i]) and not _failed(theirs[i])]

        def all_alike(chosen: Iterable[int], others: list[Any] = theirs) -> bool:
            return all(_alike(mine[i], others[i], exercise.tolerance) for i in chosen)

        if all_alike(numbers):
            shows = exercise.compare and not all_alike(numbers, right)
            if shows or _breaks(exercise, mistake, failing, fault):
                return mistake.diagnosis
        elif place in both and len(both) > 1 and exercise.compare and all_alike(both):
            likely = likely or (None if all_alike(both, right) else mistake.diagnosis)
    return likely


def _as_long_as_alike(
    function: Function, inputs: Sequence[Given], mine: Sequence[Any], tolerance: float
) -> list[Any]:
    """What a function returns for the inputs, until it returns something else than ``mine``."""
    theirs = []
    for given, one in zip(inputs, mine):
        other = outcome(function, given)
        if not _failed(one) and not _failed(other) and not _alike(one, other, tolerance):
            break
        theirs.append(other)
    return theirs


def _failed(result: Any) -> bool:
    return isinstance(result, Exception)


def _alike(one: Any, other: Any, tolerance: float) -> bool:
    if _failed(one) or _failed(other):
        return type(one) is type(other) and str(one) == str(other)
    return difference(one, other, tolerance) is None


def _breaks(exercise: Exercise, mistake: Mistake, failing: Given, fault: Fault) -> bool:
    """Whether a mistake is told the same of the same rule."""
    try:
        hold(exercise, Trial(exercise, mistake.function, failing))
    except Fault as theirs:
        return (theirs.rule, theirs.diagnosis) == (fault.rule, fault.diagnosis)
    except Exception:
        return False
    return False
