"""What figures and views of values by name ask of their arguments: each is returned in the form in
which it is drawn, or ValueError is raised.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from attnlib.figures import Array, as_array


def as_arrays(
    name: str, lines: Mapping[str, Array], *shapes: tuple, **options: Any
) -> dict[str, np.ndarray]:
    """The values of every line by its name, as ``as_array`` gives them."""
    return {k: as_array(f"{name}[{k!r}]", v, *shapes, **options) for k, v in lines.items()}


def as_bleu(
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
