"""Values that learners return: compared, copied, measured and shown, whatever they are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor

SHOWN = 48  # numbers of a tensor that are shown


class Difference(str):
    """A sentence for a learner, and what differs: "type", "shape" (NaN counts), or "value"."""

    what: str

    def __new__(cls, what: str, sentence: str) -> Difference:
        told = super().__new__(cls, sentence)
        told.what = what
        return told


def difference(
    got: Any, expected: Any, tolerance: float = 1e-5, where: str = ""
) -> Difference | None:
    """How ``got`` differs from ``expected``, for a learner to read; None where it does not.

    Tensors of other floating types and numbers in tensors without dimensions are the same values.

    >>> difference(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.5]))
    'At [1] stands 2, where 2.5 is expected.'
    >>> difference(None, 3)
    'The function returned nothing: is there a return?'
    """
    of_place = f" in {where}" if where else ""
    if got is None and expected is not None and not where:
        return Difference("type", "The function returned nothing: is there a return?")
    if isinstance(expected, Tensor):
        if isinstance(got, (bool, int, float)) and expected.dim() == 0:
            got = torch.tensor(got)
        if isinstance(got, Tensor):
            return _tensors_differ(got.detach(), expected.detach(), tolerance, of_place)
    elif isinstance(expected, (bool, int, float)):
        if isinstance(got, Tensor) and got.dim() == 0:
            got = got.item()
        numbers = isinstance(got, (bool, int, float))
        if numbers and isinstance(got, bool) == isinstance(expected, bool):
            return _numbers_differ(got, expected, tolerance, of_place)
    elif isinstance(expected, Mapping) and isinstance(got, Mapping):
        if set(got) != set(expected):
            keys, right = sorted(map(shown, got)), sorted(map(shown, expected))
            told = f"The keys{of_place} are {', '.join(keys)}, not {', '.join(right)}."
            return Difference("shape", told)
        return _first(got, expected, list(expected), tolerance, where)
    elif isinstance(expected, (tuple, list)) and isinstance(got, (tuple, list)):
        if len(got) != len(expected):
            what = "shape" if isinstance(expected, tuple) else "value"
            told = f"It has {len(got)} elements{of_place}, where {len(expected)} are expected."
            return Difference(what, told)
        return _first(got, expected, range(len(expected)), tolerance, where)
    elif type(got) is type(expected):
        told = f"{shown(got)} is returned{of_place}, where {shown(expected)} is expected."
        return None if bool(got == expected) else Difference("value", told)
    told = f"{_kind(got)} is returned{of_place}, where {_kind(expected)} is expected."
    return Difference("type", told[0].upper() + told[1:])


def _first(
    got: Any, expected: Any, keys: Iterable[Any], tolerance: float, where: str
) -> Difference | None:
    for key in keys:
        place = f"{where}[{key!r}]" if where else f"element {key!r}"
        if found := difference(got[key], expected[key], tolerance, place):
            return found
    return None


def _numbers_differ(got: Any, expected: Any, tolerance: float, of_place: str) -> Difference | None:
    if got == expected or (got != got and expected != expected):
        return None
    if math.isclose(got, expected, rel_tol=tolerance, abs_tol=tolerance):
        return None
    told = f"{shown(got)} is returned{of_place}, where {shown(expected)} is expected."
    return Difference("value", told)


def _tensors_differ(
    got: Tensor, expected: Tensor, tolerance: float, of_place: str
) -> Difference | None:
    if got.shape != expected.shape:
        swapped = got.dim() > 1 and sorted(got.shape) == sorted(expected.shape)
        told = (
            f"The shape{of_place} is {tuple(got.shape)}, where {tuple(expected.shape)} is expected."
        )
        return Difference("shape", told + " Are two dimensions swapped?" * swapped)
    if got.device != expected.device:
        told = f"The tensor{of_place} is on {got.device}, its arguments are on {expected.device}."
        return Difference("type", told)
    if _family(got) != _family(expected):
        told = f"The tensor{of_place} holds {_family(got)}, where {_family(expected)} are expected."
        return Difference("type", told)
    a, b = got.double(), expected.double()
    if bool((bad := a.isnan() & ~b.isnan()).any()):
        told = f"At {_at(bad)}{of_place} stands NaN (not a number): was 0 divided by 0, or ∞ by ∞?"
        return Difference("shape", told)
    wrong = ~torch.isclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True)
    if not bool(wrong.any()):
        return None
    gap = (a - b).abs().nan_to_num(posinf=math.inf).masked_fill(~wrong, -1)
    worst = wrong & (gap == gap.max())
    numbers = [shown(x[worst][0].item()) for x in (a, b)]
    told = f"At {_at(worst)}{of_place} stands {numbers[0]}, where {numbers[1]} is expected."
    return Difference("value", told)


def _family(x: Tensor) -> str:
    if x.dtype == torch.bool:
        return "booleans"
    return "decimal numbers" if x.is_floating_point() else "whole numbers"


def _at(mask: Tensor) -> str:
    return str(mask.nonzero()[0].tolist())


def _kind(value: Any) -> str:
    if value is None:
        return "None"
    if isinstance(value, Tensor):
        return f"a tensor of shape {tuple(value.shape)}"
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def copied(value: Any) -> Any:
    """A copy that shares no memory: tensors (on the default device), containers of them; else
    the same."""
    if isinstance(value, Tensor):
        copy = value.detach().clone().to(torch.empty(0).device)
        return copy.requires_grad_(value.requires_grad)
    if isinstance(value, dict):
        return {key: copied(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        parts = [copied(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return value


def size(value: Any) -> int:
    """How much there is to read in a value: numbers of a tensor, letters of a string, …"""
    if isinstance(value, Tensor):
        return value.numel()
    if isinstance(value, str):
        return len(value)
    if isinstance(value, Mapping):
        return sum(size(part) for part in value.values())
    if isinstance(value, (list, tuple, set, frozenset)):
        return sum(size(part) for part in value)
    return 1


def shown(value: Any, limit: int = 400) -> str:
    """A value for a person to read: rounded, cut, without addresses in memory.

    >>> shown([0.123456, "a"]), shown(torch.eye(2)), shown(torch.zeros(9, 9))
    ("[0.1235, 'a']", '[[1, 0], [0, 1]]', 'a tensor of shape (9, 9)')
    """
    try:
        text = _shown(value)
    except Exception:  # whatever a learner's object does when it is asked for its name
        text = _kind(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _shown(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1e5 else f"{value:.3e}"
    if isinstance(value, Tensor):
        small = value.numel() <= SHOWN
        return _shown(value.tolist()) if small else _kind(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_shown(k)}: {_shown(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        left, right = "[]" if isinstance(value, list) else "()"
        return left + ", ".join(_shown(part) for part in value) + right
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(_shown(part) for part in value)) + "}"
    if isinstance(value, (int, str)):
        return repr(value)
    return getattr(value, "__name__", "") or _kind(value)
