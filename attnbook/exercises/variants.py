"""Inputs that are made of a check's own: a batch of one, a length of one, more than eight of each.

Dimensions that have the same size in every input are taken for one; whether an input that is cut
to one of it, or made longer by repeating its last, makes sense is asked of the book's own function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import torch
from torch import Tensor

from .spec import Exercise, Function
from .trial import outcome
from .values import count_elements, deep_copy, tensors

#: A tensor in an argument or a result, by the keys that lead to it, and one of its dimensions.
Axis: TypeAlias = tuple[tuple[Any, ...], int]

MANY = 9  # more than eight, which a table of a fixed size has often


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
    if not any(list(_tensors((), arguments)) for arguments in every):
        return ()
    results = [outcome(reference, arguments) for arguments in every]
    usable = [i for i, result in enumerate(results) if not isinstance(result, Exception)]
    made = []
    for group in _groups([every[i] for i in usable]):
        sizes = [_size(every[i], group[0]) for i in usable]
        base = next((i for i, count_elements in zip(usable, sizes) if count_elements > 1), None)
        if base is None:
            continue
        new_sizes = [1] * (1 not in sizes) + [MANY] * (max(sizes) < MANY)
        for new_size in new_sizes:
            arguments = _with_dimension(
                every[base], group, _cut_to_one if new_size == 1 else _repeat_last
            )
            if _is_valid(outcome(reference, arguments), results[base]):
                (name, *inside), axis = group[0]
                location = name + "".join(f"[{key!r}]" for key in inside)
                made.append((f"where dimension {axis} of {location} is {new_size}", arguments))
    return tuple(made)


def _cut_to_one(x: Tensor, axis: int) -> Tensor:
    return x.narrow(axis, 0, 1)


def _repeat_last(x: Tensor, axis: int) -> Tensor:
    last = x.narrow(axis, x.shape[axis] - 1, 1)
    return torch.cat([x, *[last] * (MANY - x.shape[axis])], axis)


def _groups(inputs: Sequence[Mapping[str, Any]]) -> Iterator[list[Axis]]:
    """Dimensions of the arguments that have the same size in all inputs, as lists."""
    if not inputs:
        return
    first = dict(_tensors((), inputs[0]))
    groups: dict[tuple[int, ...], list[Axis]] = {}
    for path, x in first.items():
        every = [dict(_tensors((), arguments)).get(path) for arguments in inputs]
        known = [x for x in every if x is not None]
        if len(known) < len(inputs) or any(other.dim() != x.dim() for other in known):
            continue  # it is not there in every input
        for axis in range(x.dim()):
            groups.setdefault(tuple(other.shape[axis] for other in known), []).append((path, axis))
    yield from groups.values()


def _tensors(path: tuple[Any, ...], value: Any) -> Iterator[tuple[tuple[Any, ...], Tensor]]:
    if isinstance(value, Tensor):
        yield path, value
    elif isinstance(value, (Mapping, list, tuple)):
        parts = value.items() if isinstance(value, Mapping) else enumerate(value)
        for key, part in parts:
            yield from _tensors((*path, key), part)


def _size(arguments: Mapping[str, Any], axis: Axis) -> int:
    return dict(_tensors((), arguments))[axis[0]].shape[axis[1]]


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
