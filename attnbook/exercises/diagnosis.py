"""Which of the mistakes that an exercise knows a learner's function makes, if any."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from .spec import Exercise, Function
from .trial import Fault, Trial, check_rules, outcome
from .values import difference

Arguments = Mapping[str, Any]
#: What a function returns for the input of a number, or the exception that it raises.
Outcomes: TypeAlias = Callable[[int], Any]


def known_mistake(
    exercise: Exercise,
    function: Function,
    inputs: Sequence[Arguments],
    failing: Arguments,
    fault: Fault,
) -> str | None:
    """The diagnosis of a mistake that computes what the function computes, where it matters.

    That is: on every input; or, where the function raises on some, on every input for which it
    gives a result, at least two and among them the one that failed. A mistake that is wrong on
    none of these inputs must break the same rule in the same words: a sentence that fits by
    chance points elsewhere.
    """
    index = next(i for i, arguments in enumerate(inputs) if arguments is failing)
    # Most mistakes differ from the function on the input that failed; few need another input.
    order = [index, *(i for i in range(len(inputs)) if i != index)]
    actual, expected = _outcomes(function, inputs), _outcomes(exercise.reference, inputs)
    likely = None
    for diagnosis, mistake in exercise.known_mistakes():
        mistaken = _outcomes(mistake, inputs)
        differing = _differing_inputs(exercise, actual, mistaken, order)
        if differing is None:
            continue
        if not differing:
            if _is_wrong_on(exercise, actual, expected, order) or _fails_same_rule(
                exercise, mistake, failing, fault
            ):
                return diagnosis
        elif likely is None:
            both = [i for i in order if not _is_error(actual(i))]
            if index in both and len(both) > 1 and _is_wrong_on(exercise, actual, expected, both):
                likely = diagnosis
    return likely


def _is_wrong_on(
    exercise: Exercise, actual: Outcomes, expected: Outcomes, numbers: Iterable[int]
) -> bool:
    """Whether the function, and so a mistake that is alike there, is wrong on these inputs."""
    return exercise.compare and not all(
        same_outcome(actual(i), expected(i), exercise.tolerance) for i in numbers
    )


def _outcomes(function: Function, inputs: Sequence[Arguments]) -> Outcomes:
    """Each is computed when it is first asked for, and once."""
    return cache(lambda i: outcome(function, inputs[i]))


def _differing_inputs(
    exercise: Exercise, actual: Outcomes, mistaken: Outcomes, order: Sequence[int]
) -> list[int] | None:
    """Where a mistake does not do what the learner's function does: only where that one raises.

    None where it does something else on the first input, or returns something else on any.
    """
    differing = []
    for i in order:
        if not same_outcome(actual(i), mistaken(i), exercise.tolerance):
            if i == order[0] or not _is_error(actual(i)):
                return None
            differing.append(i)
    return differing


def _is_error(result: Any) -> bool:
    return isinstance(result, Exception)


def same_outcome(first: Any, second: Any, tolerance: float) -> bool:
    if _is_error(first) or _is_error(second):
        return type(first) is type(second) and str(first) == str(second)
    return difference(first, second, tolerance) is None


def _fails_same_rule(
    exercise: Exercise, mistake: Function, failing: Arguments, fault: Fault
) -> bool:
    """Whether a mistake breaks the same rule with the same diagnosis."""
    try:
        check_rules(exercise, Trial(exercise, mistake, failing))
    except Fault as theirs:
        return (theirs.rule, theirs.diagnosis) == (fault.rule, fault.diagnosis)
    except Exception:
        return False
    return False
