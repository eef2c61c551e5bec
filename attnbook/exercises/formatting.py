"""Values as text: for a person to read, and as Python that a learner can run."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

MAX_SHOWN = 48  # numbers of a tensor that are shown


def type_text(value: Any) -> str:
    if value is None:
        return "None"
    if isinstance(value, (Tensor, np.ndarray)):
        what = "a tensor" if isinstance(value, Tensor) else "an array"
        return f"{what} of shape {tuple(value.shape)}"
    name = "dictionary" if isinstance(value, Mapping) else type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def fmt(value: Any, limit: int = 400) -> str:
    """A value for a person to read: rounded, cut, without addresses in memory.

    >>> fmt([0.123456, "a"]), fmt(torch.eye(2)), fmt(torch.zeros(9, 9))
    ("[0.1235, 'a']", '[[1, 0], [0, 1]]', 'a tensor of shape (9, 9)')
    """
    try:
        text = _format(value)
    except Exception:  # a learner's __repr__ may raise anything
        text = type_text(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _format(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        whole = value.is_integer() and abs(value) < 1e7
        return f"{value:.0f}" if whole else f"{value:.4g}" if abs(value) < 1e5 else f"{value:.3e}"
    if isinstance(value, BaseException):
        return f"{type(value).__name__}: {' '.join(str(value).split())}".rstrip(": ")
    if isinstance(value, (Tensor, np.ndarray)):
        small = math.prod(value.shape) <= MAX_SHOWN
        return _format(value.tolist()) if small else type_text(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_format(k)}: {_format(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        left, right = "[]" if isinstance(value, list) else "()"
        comma = "," * (len(value) == 1 and isinstance(value, tuple))
        return left + ", ".join(_format(part) for part in value) + comma + right
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(_format(part) for part in value)) + "}"
    if isinstance(value, (int, str)):
        return repr(value) if isinstance(value, str) or abs(value) < 1e15 else f"{value:.3e}"
    return getattr(value, "__name__", "") or type_text(value)


def as_python(value: Any, limit: int = 120) -> str | None:
    """A value as an expression of Python, its numbers rounded to four digits; None where it is
    longer than ``limit``, or where no short expression makes it.

    >>> as_python(torch.tensor([1.0, 1 / 3])), as_python([torch.tensor([True]), "a"])
    ('torch.tensor([1.0, 0.3333])', "[torch.tensor([True]), 'a']")
    >>> as_python(torch.zeros(99)), as_python(print)
    (None, None)
    """
    text = _expression(value)
    return text if text is not None and len(text) <= limit else None


_DEFAULT_DTYPES = (torch.float32, torch.int64, torch.bool)


def _expression(value: Any) -> str | None:
    if isinstance(value, Tensor):
        if value.numel() > MAX_SHOWN or not value.numel():
            return f"torch.zeros{tuple(value.shape)}" if not value.numel() else None
        kind = "" if value.dtype in _DEFAULT_DTYPES else f", dtype={value.dtype}"
        return f"torch.tensor({_literal(value.tolist())}{kind})"
    if value is None or isinstance(value, (bool, int, str)):
        return repr(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else f'float("{value}")'
    if isinstance(value, Mapping) and type(value) in (dict, Counter):
        pairs = [(_expression(key), _expression(part)) for key, part in value.items()]
        if any(None in pair for pair in pairs):
            return None
        inside = "{" + ", ".join(f"{key}: {part}" for key, part in pairs) + "}"
        return f"Counter({inside})" if type(value) is Counter else inside
    if type(value) not in (list, tuple):
        return None
    texts = [_expression(part) for part in value]
    parts = [text for text in texts if text is not None]
    if len(parts) < len(texts):
        return None
    inside = ", ".join(parts)
    if isinstance(value, tuple):
        return f"({inside},)" if len(parts) == 1 else f"({inside})"
    return f"[{inside}]"


def _literal(numbers: Any) -> str:
    """Numbers in lists, as Python reads them inside torch.tensor(…)."""
    if isinstance(numbers, list):
        return "[" + ", ".join(map(_literal, numbers)) + "]"
    if not isinstance(numbers, float):
        return repr(numbers)
    if not math.isfinite(numbers):
        return f'float("{numbers}")'
    return (
        repr(numbers)
        if numbers.is_integer() and abs(numbers) < 1e7
        else repr(float(f"{numbers:.4g}"))
    )


#: Letters that the arguments of a verdict may take, one and all together.
_ONE, _ALL = 120, 300


def as_statements(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """The arguments as statements of Python that a learner can run; then a comment on the others.

    What is too long to be written, or no expression makes, is reached by ``exercise.failing``.

    >>> import torch
    >>> as_statements({"x": torch.tensor([0.5]), "step": print})
    ('x = torch.tensor([0.5])', 'step = exercise.failing["step"]', '# step is print')
    """
    written = {key: as_python(value, _ONE) for key, value in arguments.items()}
    while sum(len(text or "") for text in written.values()) > _ALL:
        longest = max(written, key=lambda key: len(written[key] or ""))
        written[longest] = None
    texts = [
        f"{key} = " + (f'exercise.failing["{key}"]' if text is None else text)
        for key, text in written.items()
    ]
    others = [f"{k} is {fmt(arguments[k], 60)}" for k, text in written.items() if text is None]
    return (*texts, *(["# " + "; ".join(others)] * bool(others)))
