"""What every figure and view asks of its arguments: arrays of a shape, links.

Nothing here draws. Each check returns its argument in the form in which it is drawn, or raises
ValueError with the argument's name, what was expected and what came.
"""

from collections.abc import Mapping, Sequence
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
    except (TypeError, ValueError) as problem:
        raise ValueError(f"{name} must be an array of numbers, got {values!r:.60}") from problem
    if not array.size:
        got = None if values is None else array.shape
        raise ValueError(f"{name} must hold at least one number, got {got}: there is none to draw")
    sides = (zip(shape, array.shape) for shape in shapes if len(shape) == array.ndim)
    if not any(all(n in (None, m) for n, m in pairs) for pairs in sides):
        wanted = " or ".join(str(shape).replace("None", "any") for shape in shapes)
        raise ValueError(f"{name} must have shape {wanted}, got {array.shape}; cut or transpose it")
    known = array[~np.isnan(array)] if nan else array
    if not (np.isfinite(known) & (known > limits[0] - 1e-3) & (known < limits[1] + 1e-3)).all():
        wanted = "finite" if np.isinf(limits[0]) else f"between {limits[0]} and {limits[1]}"
        found = f"{known.min():.4g} to {known.max():.4g}"
        raise ValueError(f"{name} must be {wanted}, got {found}; look at where it was computed")
    return array


def as_arrays(
    name: str, lines: Mapping[str, Array], *shapes: tuple, **how: Any
) -> dict[str, np.ndarray]:
    """The values of every line by its name, as ``as_array`` gives them."""
    return {k: as_array(f"{name}[{k!r}]", v, *shapes, **how) for k, v in lines.items()}


def check_weights(
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
    except (TypeError, ValueError) as problem:
        wanted = "(sure, possible), two sets of links (source index, target index)"
        raise ValueError(f"gold must be {wanted}, got {gold!r:.60}") from problem
    for j, t in sure | possible:
        if not (0 <= j < shape[1] and 0 <= t < shape[0]):
            wanted = f"pairs (source index < {shape[1]}, target index < {shape[0]})"
            raise ValueError(f"gold must hold {wanted}, got ({j}, {t}); are the two swapped?")
    return table, sure, possible - sure


def check_labels(**labels: Sequence[str]) -> None:
    """Refuse labels that are no texts, or none at all."""
    for name, texts in labels.items():
        if not hasattr(texts, "__len__") or not all(isinstance(text, str) for text in texts):
            raise ValueError(f"{name} must be a list of strings, got {texts!r:.60}")
        if not len(texts):
            raise ValueError(f"{name} must hold at least one word, got none: there is none to draw")


def check_gates(values: Mapping[str, Array], tokens: Sequence[str]) -> dict[str, np.ndarray]:
    """Values along a sentence by name, each (T,) or (T, H)."""
    if not values:
        raise ValueError("values must name at least one gate, got none; pass {name: values}")
    check_labels(tokens=tokens)
    return as_arrays("values", values, (len(tokens),), (len(tokens), None))


def check_bleu(
    buckets: Sequence[Any],
    scores: Mapping[str, Array],
    intervals: Mapping[str, Array] | None,
    counts: Array | None,
) -> tuple[list[str], dict[str, np.ndarray], dict[str, np.ndarray], list[int]]:
    """Names of N buckets, BLEU (N,) and intervals (N, 2) by system, and N counts or none."""
    names, limits = [bucket_name(bucket) for bucket in buckets], (0.0, 100.0)
    bleu = as_arrays("scores", scores, (len(names),), limits=limits, nan=True)
    ends = as_arrays("intervals", intervals or {}, (len(names), 2), limits=limits, nan=True)
    sizes = [] if counts is None else as_array("counts", counts, (len(names),)).astype(int).tolist()
    return names, bleu, ends, sizes


def bucket_name(bucket: Any) -> str:
    """A bucket of lengths as it is written below an axis.

    >>> bucket_name((1, 10)), bucket_name("11+"), bucket_name(3.0)
    ('1–10', '11+', '3')
    """
    if isinstance(bucket, tuple | list):
        return f"{bucket[0]}–{bucket[1]}"
    return bucket if isinstance(bucket, str) else f"{bucket:g}"
