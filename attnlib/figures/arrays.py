"""What figures and views ask of their arguments: arrays of a shape, links.

Nothing here draws. Each check returns its argument in the form in which it is drawn, or raises
ValueError with the argument's name, what was expected and what came.
"""

from collections.abc import Sequence
from operator import index
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = Any  # whatever numpy.asarray takes, and tensors with or without a gradient
Gold: TypeAlias = tuple[Any, Any]  # (sure, possible), sets of (source index, target index)


def as_array(
    name: str, values: Array, *shapes: tuple, limits: tuple = (-np.inf, np.inf), nan: bool = False
) -> np.ndarray:
    """The values as an array of floats: of one of the shapes (None: any length), within limits.

    >>> as_array("weights", [[0.1, 0.9]], (1, 2), limits=(0.0, 1.0))
    array([[0.1, 0.9]])
    """
    if hasattr(values, "detach"):  # a tensor: off the graph and the device; numpy has no bfloat16
        values = values.detach().cpu().double()
    try:
        array = np.asarray([] if values is None else values, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be an array of numbers, got {values!r:.60}") from error
    if not array.size:
        got = None if values is None else array.shape
        raise ValueError(f"{name} must hold at least one number, got {got}: there is none to draw")
    sides = (zip(shape, array.shape) for shape in shapes if len(shape) == array.ndim)
    if not any(all(n in (None, m) for n, m in pairs) for pairs in sides):
        expected = " or ".join(str(shape).replace("None", "any") for shape in shapes)
        raise ValueError(
            f"{name} must have shape {expected}, got {array.shape}; cut or transpose it"
        )
    known = array[~np.isnan(array)] if nan else array
    if not (np.isfinite(known) & (known > limits[0] - 1e-3) & (known < limits[1] + 1e-3)).all():
        expected = "finite" if np.isinf(limits[0]) else f"between {limits[0]} and {limits[1]}"
        extent = f"{known.min():.4g} to {known.max():.4g}"
        raise ValueError(f"{name} must be {expected}, got {extent}; look at where it was computed")
    return array


def as_weights(
    weights: Array, src_tokens: Sequence[str], tgt_tokens: Sequence[str], gold: Gold | None
) -> tuple[np.ndarray, set, set]:
    """Weights (T, S) in [0, 1], the sure links, and those that are only possible."""
    check_labels(src_tokens=src_tokens, tgt_tokens=tgt_tokens)
    if weights is None:
        raise ValueError("weights must be an array, got None: a model without attention has none")
    shape = (len(tgt_tokens), len(src_tokens))  # rows are target words
    table = as_array("weights", weights, shape, limits=(0.0, 1.0))
    try:
        sure, possible = ({(index(j), index(t)) for j, t in links} for links in gold or ((), ()))
    except (TypeError, ValueError) as error:
        expected = "(sure, possible), two sets of links (source index, target index)"
        raise ValueError(f"gold must be {expected}, got {gold!r:.60}") from error
    for j, t in sure | possible:
        if not (0 <= j < shape[1] and 0 <= t < shape[0]):
            expected = f"pairs (source index < {shape[1]}, target index < {shape[0]})"
            raise ValueError(f"gold must hold {expected}, got ({j}, {t}); are the two swapped?")
    return table, sure, possible - sure


def check_labels(**labels: Sequence[str]) -> None:
    """Refuse labels that are no texts, or none at all."""
    for name, texts in labels.items():
        if not hasattr(texts, "__len__") or not all(isinstance(text, str) for text in texts):
            raise ValueError(f"{name} must be a list of strings, got {texts!r:.60}")
        if not len(texts):
            raise ValueError(f"{name} must hold at least one word, got none: there is none to draw")
