"""Inputs that are made of a check's own: a batch of one, a length of one, more than eight of each;
other values, and arguments of different inputs together, to which a memo may give what it kept.

Dimensions that have the same size in every input are taken for one; whether an input that is cut
to one of it, or made longer by repeating its last, makes sense is asked of the book's own function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import torch
from torch import Tensor

from .spec import Exercise, Function
from .trial import outcome
from .values import count_elements, deep_copy, path_text, tensors, tensors_by_path

#: A tensor in an argument or a result, by the keys that lead to it, and one of its dimensions.
Axis: TypeAlias = tuple[tuple[Any, ...], int]

MANY = 9  # more than eight, which a table of a fixed size has often
_MAX_MIXED = 100  # inputs


#: What is special about an input, in words, and the input.
Variant: TypeAlias = tuple[str, dict[str, Any]]


def variants(exercise: Exercise) -> tuple[Variant, ...]:
    """What the inputs of an exercise leave out of one and of many."""
    if not exercise.varied or not exercise.compare:
        return ()
    return _make_variants(exercise.inputs, exercise.reference)


@lru_cache(maxsize=256)
def _make_variants(
    inputs: Callable[[], Iterable[Mapping[str, Any]]], reference: Function
) -> tuple[Variant, ...]:
    every = sorted(inputs(), key=count_elements)
    if not any(list(tensors_by_path(arguments)) for arguments in every):
        return ()
    results = [outcome(reference, arguments) for arguments in every]
    usable = [i for i, result in enumerate(results) if not isinstance(result, Exception)]
    made = []
    for sizes, group in _groups([every[i] for i in usable]).items():
        base = next((i for i, size in zip(usable, sizes) if size > 1), None)
        if base is None:
            continue
        new_sizes = [1] * (1 not in sizes) + [MANY] * (max(sizes) < MANY)
        for new_size in new_sizes:
            arguments = _with_dimension(
                every[base], group, _cut_to_one if new_size == 1 else _repeat_last
            )
            if _is_valid(outcome(reference, arguments), results[base]):
                path, axis = group[0]
                where = f"where dimension {axis} of {path_text(path)} is {new_size}"
                made.append((where, arguments))
    return tuple(made)


def _cut_to_one(x: Tensor, axis: int) -> Tensor:
    return x.narrow(axis, 0, 1)


def _repeat_last(x: Tensor, axis: int) -> Tensor:
    last = x.narrow(axis, x.shape[axis] - 1, 1)
    return torch.cat([x, *[last] * (MANY - x.shape[axis])], axis)


def _groups(inputs: Sequence[Mapping[str, Any]]) -> dict[tuple[int, ...], list[Axis]]:
    """Sizes in all inputs → the dimensions of the arguments that have these."""
    groups: dict[tuple[int, ...], list[Axis]] = {}
    every = [dict(tensors_by_path(arguments)) for arguments in inputs]
    for path, x in every[0].items() if every else ():
        same = [named[path] for named in every if path in named and named[path].dim() == x.dim()]
        if len(same) == len(inputs):  # it is there in every input
            for axis in range(x.dim()):
                sizes = tuple(other.shape[axis] for other in same)
                groups.setdefault(sizes, []).append((path, axis))
    return groups


def _with_dimension(
    arguments: Mapping[str, Any], group: Sequence[Axis], change: Callable[[Tensor, int], Tensor]
) -> dict[str, Any]:
    """The arguments with one dimension changed, wherever it occurs."""

    def remade(path: tuple[Any, ...], value: Any) -> Any:
        if isinstance(value, Tensor):
            for other, axis in group:
                value = change(value, axis) if other == path else value
            return value
        if isinstance(value, dict):
            return {key: remade((*path, key), part) for key, part in value.items()}
        if isinstance(value, (list, tuple)):
            parts = [remade((*path, i), part) for i, part in enumerate(value)]
            return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
        return value

    return deep_copy(remade((), dict(arguments)))


def _is_valid(result: Any, usual: Any) -> bool:
    """Whether a result is one: no exception, all numbers finite, of as many dimensions as usual."""
    if isinstance(result, Exception) or type(result) is not type(usual):
        return False
    pairs = list(zip(tensors(result), tensors(usual)))
    return all(
        tensor.dim() == usual_tensor.dim() and bool(torch.isfinite(tensor).all())
        for tensor, usual_tensor in pairs
    )


def mixed_inputs(inputs: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Each input with one argument of another: a memo may ask for some of the arguments alone."""
    mixed = []
    for arguments, other in zip(inputs, [*inputs[1:], *inputs[:1]]):
        for key, value in other.items():
            if not isinstance(value, Tensor) and value is not arguments.get(key):
                mixed += [arguments, {**arguments, key: value}]
    return mixed[:_MAX_MIXED]


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
