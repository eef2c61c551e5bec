"""Values that learners return: compared, copied, measured and shown, whatever they are."""

from __future__ import annotations

import copy
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from .formatting import fmt, type_text

_NOTHING = "The function returned nothing, None: does every way through it end with a return?"


class Difference(str):
    """A sentence for a learner, and what differs: "type", "shape", "nan", or "value"."""

    kind: str

    def __new__(cls, kind: str, message: str) -> Difference:
        difference = super().__new__(cls, message)
        difference.kind = kind
        return difference


def cast_like(got: Any, expected: Any) -> Any:
    """``got`` in the kind of ``expected``, where both can say the same; else ``got`` itself.

    A number of numpy, a number in a tensor, an array, decimal numbers of another precision, a list
    for a tuple: none of them is a mistake, and a rule should not have to think of them.

    >>> cast_like([torch.tensor(0.5), 2], (1.0, 1)), cast_like(torch.tensor([1, 2]), [0, 0])
    ((0.5, 2), [1, 2])
    """
    if isinstance(got, np.generic):
        got = got.item()
    if isinstance(expected, Tensor):
        return _tensor_like(expected, got)
    if isinstance(expected, (bool, int, float)):
        return _number_like(expected, got)
    if isinstance(expected, (list, tuple)):
        if (
            isinstance(got, (Tensor, np.ndarray))
            and got.ndim
            and next(tensors(expected), None) is None
        ):
            got = got.tolist()
        if isinstance(got, (list, tuple)):
            last = len(expected) - 1
            parts = [
                cast_like(x, expected[min(i, last)]) if expected else x for i, x in enumerate(got)
            ]
            fields = hasattr(expected, "_fields") and len(parts) == len(expected)
            kind = type(expected) if type(expected) in (list, tuple) or fields else type(got)
            return kind(*parts) if fields else kind(parts)
    if isinstance(expected, Mapping) and isinstance(got, Mapping) and expected:
        usual = next(iter(expected.values()))
        pairs = {key: cast_like(part, expected.get(key, usual)) for key, part in got.items()}
        return Counter(pairs) if type(expected) is Counter else pairs
    return got


_WIDE = {"b": np.bool_, "i": np.int64, "u": np.int64, "f": np.float64}


def _tensor_like(expected: Tensor, got: Any) -> Any:
    single = isinstance(got, (bool, int, float)) and expected.dim() == 0
    if single:
        got = np.array(got)
    if isinstance(got, np.ndarray) and got.dtype.kind in _WIDE:
        got = torch.from_numpy(got.astype(_WIDE[got.dtype.kind])).to(expected.device)
    if not isinstance(got, Tensor):
        return got
    kinds = _family(got), _family(expected)
    exact = single and _WHOLE in kinds and bool(got == got.trunc())
    if kinds[0] == kinds[1] or kinds == (_WHOLE, _DECIMAL) or exact and _BOOL not in kinds:
        return got.to(expected.dtype)
    return got


def _number_like(expected: Any, got: Any) -> Any:
    if isinstance(got, (Tensor, np.ndarray)) and got.ndim == 0:
        got = got.item()
    if type(expected) is float and type(got) is int:
        return float(got)
    return int(got) if type(expected) is int and type(got) is float and got.is_integer() else got


def tensors(value: Any) -> Iterator[Tensor]:
    """All tensors in a value."""
    return (x for _, x in tensors_by_path(value))


def tensors_by_path(
    value: Any, path: tuple[Any, ...] = ()
) -> Iterator[tuple[tuple[Any, ...], Tensor]]:
    """All tensors in a value, each with the keys that lead to it."""
    if isinstance(value, Tensor):
        yield path, value
    elif isinstance(value, (Mapping, list, tuple)):
        parts = value.items() if isinstance(value, Mapping) else enumerate(value)
        for key, part in parts:
            yield from tensors_by_path(part, (*path, key))


def path_text(path: tuple[Any, ...]) -> str:
    """The way to a part of the arguments, as Python has it: ``layers[0]['weight']``."""
    name, *keys = path
    return name + "".join(f"[{key!r}]" for key in keys)


def difference(
    got: Any, expected: Any, tolerance: float = 1e-5, where: str = ""
) -> Difference | None:
    """How ``got`` differs from ``expected``, for a learner to read; None where it does not.

    Whole numbers must be equal, decimal ones to a relative and absolute tolerance.

    >>> difference(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.5]))
    'At [1] there is 2, where 2.5 is expected.'
    >>> difference(None, 3)
    'The function returned nothing, None: does every way through it end with a return?'
    """
    location = f" in {where}" if where else ""
    if got is None and expected is not None and not where:
        return Difference("type", _NOTHING)
    got = cast_like(got, expected)
    if isinstance(expected, Tensor) and isinstance(got, Tensor):
        return _tensor_difference(got.detach(), expected.detach(), tolerance, location)
    if isinstance(expected, (bool, int, float)):
        numbers = isinstance(got, (bool, int, float))
        if numbers and isinstance(got, bool) == isinstance(expected, bool):
            return _number_difference(got, expected, tolerance, location)
    elif isinstance(expected, Mapping) and isinstance(got, Mapping):
        if set(got) != set(expected):
            message = _key_difference(got, expected, location)
            # Keys that name parts belong to the form; keys that are n-grams or words are values.
            named = all(isinstance(key, str) for key in {*got, *expected})
            return Difference("shape" if named else "value", message)
        return _first_difference(got, expected, list(expected), tolerance, where)
    elif isinstance(expected, (tuple, list)) and isinstance(got, (tuple, list)):
        if len(got) != len(expected):
            what = "shape" if isinstance(expected, tuple) else "value"
            message = f"It has {len(got)} elements{location}, where {len(expected)} are expected."
            return Difference(what, message)
        return _first_difference(got, expected, range(len(expected)), tolerance, where)
    elif type(got) is type(expected):
        message = f"{fmt(got)} is returned{location}, where {fmt(expected)} is expected."
        return None if bool(got == expected) else Difference("value", message)
    message = f"{type_text(got)} is returned{location}, where {type_text(expected)} is expected."
    if isinstance(expected, Tensor) and isinstance(got, (list, tuple)):
        message += _element_hint(got, expected, tolerance)
    return Difference("type", message[0].upper() + message[1:])


def _key_difference(got: Mapping[Any, Any], expected: Mapping[Any, Any], location: str) -> str:
    """Which keys a dictionary lacks, and which it has too many."""
    lacks, more = (
        sorted(fmt(key) for key in first if key not in second)
        for first, second in ((expected, got), (got, expected))
    )
    if not expected:
        return f"There should be no keys{location}, but there are {_some(more)}."
    parts = [f"{_some(lacks)} {'are' if lacks[1:] else 'is'} missing"] * bool(lacks)
    parts += [f"{_some(more)} {'are' if more[1:] else 'is'} not expected"] * bool(more)
    return f"Of the keys{location}, {', and '.join(parts)}."


def _some(texts: list[str], limit: int = 4) -> str:
    """A list of texts in words, its end left out where it is long."""
    rest = len(texts) - limit
    return ", ".join(texts[:limit]) + f" and {rest} more" * (rest > 0)


def _element_hint(got: Any, expected: Tensor, tolerance: float) -> str:
    """What to do with several values where one tensor is expected."""
    fitting = [i for i, x in enumerate(got) if isinstance(x, Tensor) and x.shape == expected.shape]
    equal = [i for i in fitting if difference(got[i], expected, tolerance) is None]
    for place in equal or fitting * (len(fitting) == 1):
        return f" Should you return only element {place} of it?"
    # Of several that fit in shape alone, none is known to be the one.
    return " torch.stack makes one tensor from many, torch.tensor one from numbers." * (
        expected.dim() > 0 and not fitting
    )


def _first_difference(
    got: Any, expected: Any, keys: Iterable[Any], tolerance: float, where: str
) -> Difference | None:
    for key in keys:
        # "element 1", and further inside "element [1][0]", as Python reaches it.
        outer = where.removeprefix("element ")
        outer = outer if outer.startswith("[") else f"[{outer}]"
        place = f"element {outer}[{key!r}]" if where else f"element {key!r}"
        if found := difference(got[key], expected[key], tolerance, place):
            return found
    return None


def _number_difference(
    got: Any, expected: Any, tolerance: float, location: str
) -> Difference | None:
    if got == expected or (got != got and expected != expected):
        return None
    whole = isinstance(got, int) and isinstance(expected, int)
    if not whole and math.isclose(got, expected, rel_tol=tolerance, abs_tol=tolerance):
        return None
    message = f"{fmt(got)} is returned{location}, where {fmt(expected)} is expected."
    return Difference("value", message)


def _tensor_difference(
    got: Tensor, expected: Tensor, tolerance: float, location: str
) -> Difference | None:
    if got.shape != expected.shape:
        message = (
            f"The shape{location} is {tuple(got.shape)}, where {tuple(expected.shape)} is expected."
        )
        return Difference("shape", message + _shape_hint(tuple(got.shape), tuple(expected.shape)))
    if got.device != expected.device:
        message = (
            f"The tensor{location} is on {got.device}, its arguments are on {expected.device}."
        )
        return Difference("type", message)
    if _family(got) != _family(expected):
        message = (
            f"The tensor{location} contains {_family(got)}, where {_family(expected)} are expected."
        )
        return Difference("type", message)
    if not expected.is_floating_point():
        tolerance = 0.0
    # The rounding error of a right answer in half precision.
    elif expected.dtype in (torch.float16, torch.bfloat16):
        tolerance = max(tolerance, 4 * torch.finfo(expected.dtype).eps)
    a, b = got.double(), expected.double()
    if torch.equal(a, b):
        return None
    if bool((bad := a.isnan() & ~b.isnan()).any()):
        message = f"{_number_at('NaN', bad, location)} (not a number): from 0 / 0, ∞ / ∞ or ∞ − ∞?"
        return Difference("nan", message)
    wrong = ~torch.isclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True)
    if not bool(wrong.any()):
        return None
    gap = (a - b).abs().nan_to_num(posinf=math.inf).masked_fill(~wrong, -1)
    worst = wrong & (gap == gap.max())
    numbers = [fmt(x[worst][0].item()) for x in (got, expected)]
    message = f"{_number_at(numbers[0], worst, location)}, where {numbers[1]} is expected."
    return Difference("value", message)


#: A dimension of size one: whether to drop it or to sum over it, one shape does not say.
_ONE_LEFT = ": is it left over (squeeze it), or is a sum or a mean over it missing?"


def _shape_hint(got: tuple[int, ...], right: tuple[int, ...]) -> str:
    """What the two shapes have to do with one another, where that is plain."""
    if len(got) > 1 and sorted(got) == sorted(right):
        return " Are two dimensions swapped?"
    more = [i for i in range(len(got)) if got[:i] + got[i + 1 :] == right]
    less = [i for i in range(len(right)) if right[:i] + right[i + 1 :] == got]
    for axes, message in ((more, "one too many"), (less, "missing")):
        if len(axes) == 1:
            unclear = axes is more and got[axes[0]] == 1
            return f" Dimension {axes[0]} is {message}{_ONE_LEFT if unclear else '.'}"
    if len(got) < len(right) and [n for n in got if n != 1] == [n for n in right if n != 1]:
        return " The dimensions of size 1 are missing."
    apart = [i for i, (n, m) in enumerate(zip(got, right)) if n != m]
    if len(got) == len(right) and len(apart) == 1 and abs(got[apart[0]] - right[apart[0]]) == 1:
        much = "many" if got[apart[0]] > right[apart[0]] else "few"
        return f" Along dimension {apart[0]} there is one too {much}."
    return ""


_BOOL, _WHOLE, _DECIMAL = "booleans", "whole numbers", "decimal numbers"


def _family(x: Tensor) -> str:
    if x.dtype == torch.bool:
        return _BOOL
    if x.is_complex():
        return "complex numbers"
    return _DECIMAL if x.is_floating_point() else _WHOLE


def _number_at(number: str, mask: Tensor, location: str) -> str:
    """That a number is at the first place of a mask."""
    if not mask.dim():
        return f"{number} is returned{location}"
    return f"At {mask.nonzero()[0].tolist()}{location} there is {number}"


def deep_copy(value: Any) -> Any:
    """A copy that shares no memory: of tensors (on the default device) and containers.

    Anything else is the same: a generator of random numbers is to go on, not to start again.
    """
    if isinstance(value, Tensor):
        clone = value.detach().clone().to(torch.empty(0).device)
        return clone.requires_grad_(value.requires_grad)
    if isinstance(value, dict):
        items = copy.copy(value)  # keeps the type, for example of a Counter
        for key, part in value.items():
            items[key] = deep_copy(part)
        return items
    if isinstance(value, (list, tuple)):
        parts = [deep_copy(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return value


def count_elements(value: Any) -> int:
    """How much there is to read in a value: elements of a tensor, characters of a string, …"""
    if isinstance(value, Tensor):
        return value.numel()
    if isinstance(value, str):
        return len(value)
    if isinstance(value, Mapping):
        return sum(count_elements(part) for part in value.values())
    if isinstance(value, (list, tuple, set, frozenset)):
        return sum(count_elements(part) for part in value)
    return 1
