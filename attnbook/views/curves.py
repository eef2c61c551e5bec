"""Views of numbers along an axis: BLEU by length, a temperature, a kernel."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from attnlib.checks import Number
from attnlib.figures import Array

from ..figures.arrays import as_bleu
from ..figures.diagrams.page import numbers, softmax
from .still import plot, table
from .view import View, counted, finish, rounded, significant


def bleu_view(
    buckets: Sequence[Any],
    scores: Mapping[str, Array],
    *,
    intervals: Mapping[str, Array] | None = None,
    counts: Array | None = None,
    title: str = "BLEU by source length",
) -> View:
    """BLEU of one or more systems by source length; a slider reads out a bucket.

    Arguments: buckets, N labels or (shortest, longest) pairs; scores, system → (N,) BLEU from 0 to
    100, NaN where a bucket is too small to say; intervals, system → (N, 2) lower and upper ends;
    counts, N numbers of sentences. Returns the View. Raises ValueError where shapes disagree or a
    BLEU is outside 0 to 100.

    >>> bleu_view([(1, 10), (11, 20)], {"attention": [61.25, float("nan")]}).alt
    'BLEU by source length. attention: 61.2 at 1–10, no value at 11–20.'
    """
    names, bleu, ends, sizes = as_bleu(buckets, scores, intervals, counts)
    lines: list[dict[str, Any]] = [{"name": k, "y": rounded(y, 2)} for k, y in bleu.items()]
    for line in lines:
        if line["name"] in ends:
            pairs = rounded(ends[line["name"]], 2)
            line["ends"] = [None if None in pair else pair for pair in pairs]
    data: dict[str, Any] = {
        **{"x": names, "lines": lines, "range": [0, 100], "digits": 1},
        **{"xlabel": "source length (tokens)", "ylabel": "BLEU (0 to 100)", "step": "bucket"},
    }
    if sizes:
        data["notes"] = [f"{size:,} sentences" for size in sizes]
    texts = (f"{k}: {', '.join(map(_bleu_at, y, names))}" for k, y in bleu.items())
    alt = f"BLEU by source length. {'; '.join(texts)}."
    summary = f"BLEU view: {counted(len(lines), 'system')} in {counted(len(names), 'bucket')}"
    still = table(title, alt, list(bleu), names, np.array(list(bleu.values())), digits=1)
    return finish("lines", data, title, alt, summary, still)


def _bleu_at(value: Number, bucket: str) -> str:
    return f"no value at {bucket}" if np.isnan(value) else f"{value:.1f} at {bucket}"


def temperature_view(
    scores: Array, labels: Sequence[str], *, title: str = "A softmax and its temperature"
) -> View:
    """The weights softmax(e / τ) of some scores, with a slider for τ from 0.01 to 100.

    It reads out the largest weights and the entropy: e to the power of it is as many equally
    likely entries.

    Arguments: scores (N,); labels, N names. Returns the View. Raises ValueError where lengths
    disagree or a score is not finite.

    >>> temperature_view([2.0, 1.0], ["dog", "cat"]).alt
    'Weights of 2 scores. Largest at temperature 0.2: “dog” 0.99; at 1: “dog” 0.73; at 5: “dog”
    0.55.'
    """
    array = numbers("scores", scores, len(labels))
    temperatures = (0.2, 1, 5)
    weights = np.array([softmax(array / t) for t in temperatures]).T
    best = int(array.argmax())
    low, one, high = (f"“{labels[best]}” {weight:.2f}" for weight in weights[best])
    alt = f"Weights of {counted(len(labels), 'score')}. Largest at temperature 0.2: {low};"
    alt += f" at 1: {one}; at 5: {high}."
    still = table(title, alt, labels, [f"τ = {t}" for t in temperatures], weights)
    data = {"labels": list(labels), "scores": significant(array)}
    return finish("temperature", data, title, alt, f"temperature view: {len(labels)} scores", still)


def kernel_view(
    points: Array,
    answers: Array,
    *,
    truth: Array | None = None,
    bandwidth: Number = 0.2,
    title: str = "Drag the query along the curve",
) -> View:
    """Nadaraya and Watson's regression ŷ(x) = Σ_i α_i y_i, α = softmax(−(x − x_i)² / (2 h²)).

    The query x can be dragged; the points that it looks at grow with their weights. A second
    slider changes the bandwidth h, and with it the whole curve.

    Arguments: points (S,) or (S, 1), the keys x_i; answers (S,), the values y_i; truth, (M, 2)
    points (x, y) of the true curve, drawn dashed; bandwidth, where h starts, in units of x. Returns
    the View. Raises ValueError where lengths disagree, a number is not finite or the bandwidth is
    not above 0.

    >>> kernel_view([0.0, 1.0, 2.0], [0.0, 1.0, 0.0]).alt
    'A curve of weighted means through 3 points, bandwidth 0.2, x from 0.00 to 2.00: it starts at
    0.00 and ends at 0.00.'
    """
    keys = numbers("points", points.reshape(-1) if hasattr(points, "reshape") else points, None)
    values = numbers("answers", answers, len(keys))
    if not 0 < bandwidth < math.inf:
        raise ValueError(f"bandwidth must be a number above 0, got {bandwidth}")
    true = np.zeros((0, 2)) if truth is None else numbers("truth", truth, None, 2)
    grid = np.linspace(keys.min(), keys.max(), 121)
    curve = np.array([softmax(-((x - keys) ** 2) / (2 * bandwidth**2)) @ values for x in grid])
    alt = (
        f"A curve of weighted means through {len(keys)} points, bandwidth {bandwidth:g},"
        f" x from {grid[0]:.2f} to {grid[-1]:.2f}: it starts at {curve[0]:.2f} and ends at"
        f" {curve[-1]:.2f}." + (" The true curve is dashed." if len(true) else "")
    )
    estimate = np.stack([grid, curve], axis=1)
    curves, labels = [estimate, *([true] if len(true) else [])], ("x (query)", "y (value)")
    still = plot(title, alt, np.stack([keys, values], axis=1), curves, labels)
    data = {
        **{"x": significant(keys, 5), "y": significant(values, 5), "h": float(bandwidth)},
        "truth": significant(true, 4),
    }
    return finish("kernel", data, title, alt, f"kernel view: {len(keys)} points", still)
