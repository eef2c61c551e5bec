"""Which of the mistakes that an exercise knows a learner's function makes, if any."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from .spec import Exercise, Function
from .trial import Fault, Trial, hold, outcome
from .values import difference

Given = Mapping[str, Any]
#: What a function returns for the input of a number, or the exception that it raises.
Outcomes: TypeAlias = Callable[[int], Any]


def known_mistake(
    exercise: Exercise, function: Function, inputs: Sequence[Given], failing: Given, fault: Fault
) -> str | None:
    """The diagnosis of a mistake that computes what the function computes, where it matters.

    That is: on every input; or, where the function raises on some, on every input for which it
    gives a result, at least two and among them the one that failed. A mistake that is wrong on
    none of these inputs must break the same rule in the same words: a sentence that fits by
    chance points elsewhere.
    """
    place = next(i for i, given in enumerate(inputs) if given is failing)
    # Most mistakes differ from the function on the input that failed; few need another input.
    order = [place, *(i for i in range(len(inputs)) if i != place)]
    mine, right = _outcomes(function, inputs), _outcomes(exercise.reference, inputs)
    likely = None
    for diagnosis, mistake in exercise.mistakes:
        theirs = _outcomes(mistake, inputs)
        unlike = _unlike(exercise, mine, theirs, order)
        if unlike is None:
            continue
        if not unlike:
            if _shows(exercise, mine, right, order) or _breaks(exercise, mistake, failing, fault):
                return diagnosis
        elif likely is None:
            both = [i for i in order if not _failed(mine(i))]
            if place in both and len(both) > 1 and _shows(exercise, mine, right, both):
                likely = diagnosis
    return likely


def _shows(exercise: Exercise, mine: Outcomes, right: Outcomes, numbers: Iterable[int]) -> bool:
    """Whether the function, and so a mistake that is alike there, is wrong on these inputs."""
    return exercise.compare and not all(
        alike(mine(i), right(i), exercise.tolerance) for i in numbers
    )


def _outcomes(function: Function, inputs: Sequence[Given]) -> Outcomes:
    """Each is computed when it is first asked for, and once."""
    return cache(lambda i: outcome(function, inputs[i]))


def _unlike(
    exercise: Exercise, mine: Outcomes, theirs: Outcomes, order: Sequence[int]
) -> list[int] | None:
    """Where a mistake does not do what the learner's function does: only where that one raises.

    None where it does something else on the first input, or returns something else on any.
    """
    found = []
    for i in order:
        if not alike(mine(i), theirs(i), exercise.tolerance):
            if i == order[0] or not _failed(mine(i)):
                return None
            found.append(i)
    return found


def _failed(result: Any) -> bool:
    return isinstance(result, Exception)


def alike(one: Any, other: Any, tolerance: float) -> bool:
    if _failed(one) or _failed(other):
        return type(one) is type(other) and str(one) == str(other)
    return difference(one, other, tolerance) is None


def _breaks(exercise: Exercise, mistake: Function, failing: Given, fault: Fault) -> bool:
    """Whether a mistake is told the same of the same rule."""
    try:
        hold(exercise, Trial(exercise, mistake, failing))
    except Fault as theirs:
        return (theirs.rule, theirs.diagnosis) == (fault.rule, fault.diagnosis)
    except Exception:
        return False
    return False
