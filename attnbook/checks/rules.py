"""Rules that say how a result differs, whatever the exercise."""

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attnbook.exercises import Call, Function, Rule
from attnbook.exercises.trial import as_statements, error_text
from attnbook.exercises.values import deep_copy, difference, fmt


def agrees(*names: str, part: int | None = None) -> Rule:
    """A rule that says how a tensor differs: a factor, the order, or for which of its places.

    ``names`` are those of its dimensions; ``part`` is its number where the result is a tuple.
    """

    def rule(call: Call) -> str | None:
        pair = (call.result, call.expected)
        got, right = (x if part is None else x[part] for x in pair)
        return _how_it_differs(got.detach().double(), right.detach().double(), names)

    return rule


def are_weights(part: int | None = None) -> Rule:
    """A rule for attention weights: numbers that cannot be weights at all.

    ``part`` is their number where the result is a tuple.
    """

    def rule(call: Call) -> str | None:
        weights = call.result if part is None else call.result[part]
        bad = ~((weights > -1e-4) & (weights < 1 + 1e-4))
        if not bool(bad.any()):
            return None
        return (
            f"{fmt(weights[bad][0].item())} is among the weights, but a weight is between 0 and 1. "
            "Are these the scores, from before the softmax, or the context?"
        )

    return rule


def repeats(what: str) -> Rule:
    """A rule for a function that draws nothing: the same call gives the same result."""

    def rule(call: Call) -> str | None:
        wrong = difference(call.result, call.expected) is not None
        for _ in range(8 if wrong else 3):  # what draws may be right for once
            if difference(call.without_comparison(), call.result):
                return f"Two calls with the same arguments give different results: {what}"
        return None

    return rule


def first_unlike(got: Tensor, right: Tensor) -> tuple[list[int], str, str] | None:
    """The place of the first number that differs, and both numbers there; None where none does."""
    unlike = (~torch.isclose(got, right, rtol=1e-4, atol=1e-5)).nonzero()
    if not len(unlike):
        return None
    at = tuple(unlike[0].tolist())
    return list(at), f"{float(got[at]):.4g}", f"{float(right[at]):.4g}"


def place_of(number: int, shape: Sequence[int]) -> list[int]:
    """The place of a number that is counted through a whole tensor, in each dimension.

    numpy's, because torch.unravel_index imports sympy: half a second of a learner's time.
    """
    return [int(i) for i in np.unravel_index(number, tuple(shape))]


def _how_it_differs(got: Tensor, right: Tensor, names: tuple[str, ...]) -> str | None:
    bad = ~torch.isclose(got, right, rtol=1e-4, atol=1e-4, equal_nan=True)
    if not bool(bad.any()):
        return None
    worst = ((got - right).abs().nan_to_num(posinf=1e30) * bad).flatten().argmax()
    at = place_of(int(worst), got.shape)
    place = (
        f"At {at} there is {fmt(got.flatten()[worst].item())}, where "
        f"{fmt(right.flatten()[worst].item())} is expected"
    )
    big = right.abs() > 1e-3
    ratio = got[big] / right[big]
    if (
        ratio.numel() > 2
        and abs(ratio[0] - 1) > 1e-2
        and bool(torch.isclose(ratio, ratio[0], rtol=1e-3).all())
    ):
        return f"{place}; every number is {fmt(ratio[0].item())} times what is expected."
    if torch.allclose(got.flatten().sort()[0], right.flatten().sort()[0], atol=1e-4):
        return f"{place}; these are the right numbers in the wrong places."
    for axis, name in enumerate(names):
        wrong = bad.transpose(0, axis).flatten(1).any(1)
        if not bool(wrong.all()):
            numbers = (map(str, x.nonzero().flatten().tolist()) for x in (wrong, ~wrong))
            which, fine = (", ".join(some) for some in numbers)
            return f"{place}. It is wrong for {name} {which} and right for {name} {fine}."
    return None


def as_list(x: Tensor) -> str:
    """Numbers of a tensor, in one row, for a sentence."""
    return str([float(f"{number:.3g}") for number in x.flatten().tolist()])


def by_hand(steps: Function) -> Rule:
    """A rule that computes the first number which is wrong before the learner's eyes.

    ``steps`` is given the call and the number's place, and says in half a sentence how it comes
    about.
    """

    def rule(call: Call) -> str | None:
        got, right = (x.detach().double() for x in (call.result, call.expected))
        wrong = ~torch.isclose(got, right, rtol=1e-4, atol=1e-4)
        if not bool(wrong.any()):
            return None
        at = wrong.nonzero()[0].tolist()
        number = fmt(got[tuple(at)].item())
        where = f"At {at} there is {number}" if at else f"You return {number}"
        return f"{where}. By hand: {steps(call, *at)}."

    return rule


def unlike(call: Call, expected: object, why: str, **arguments: Any) -> str | None:
    """What comes back for other arguments, where that is not right, and why it should be."""
    result = call(**arguments)
    if difference(result, expected) is None:
        return None
    message = (
        f"With {', '.join(as_statements(arguments))} you return {fmt(result)}, where "
        f"{fmt(expected)} is expected"
    )
    return f"{message}: {why}"


def refused(call: Call, why: str, **arguments: Any) -> str | None:
    """What is raised for other arguments that are no reason to raise anything."""
    problem = call.error(**arguments)
    if problem is None:
        return None
    return f"With {', '.join(as_statements(arguments))} it raises {error_text(problem)}. {why}"


def calls_to(call: Call, name: str, **changed: Any) -> list[tuple[Any, ...]]:
    """Arguments and result of each call of an argument that is a function, by the learner's own.

    Other arguments of the learner's function may be ``changed``.
    """
    function, calls = call.arguments[name], []

    def recording(*args: Any, **kwargs: Any) -> Any:
        arguments = deep_copy(inspect.signature(function).bind(*args, **kwargs).args)
        result = function(*args, **kwargs)
        calls.append((*arguments, deep_copy(result)))
        return result

    call.error(**{name: recording}, **changed)
    return calls
