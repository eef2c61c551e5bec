"""Lines with points to read off: BLEU by length, and learning curves."""

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

import numpy as np
from matplotlib.pyplot import Axes

from attnlib.figures import (
    MARKERS,
    PALETTE,
    Array,
    as_array,
    as_written,
    axes_of,
    label_style,
    style,
)

from .arrays import as_arrays, as_bleu


def bleu_by_length(
    buckets: Sequence[Any],
    scores: Mapping[str, Array],
    *,
    intervals: Mapping[str, Array] | None = None,
    counts: Array | None = None,
    title: str = "BLEU by source length",
    ax: Axes | None = None,
) -> Axes:
    """BLEU of one or more systems in buckets of source length.

    Arguments: buckets, N labels or (shortest, longest) pairs; scores, system → (N,) BLEU from 0 to
    100, NaN where a bucket is too small to say; intervals, system → (N, 2) lower and upper ends;
    counts, N numbers of sentences. Returns the Axes. Raises ValueError where shapes disagree or a
    BLEU is outside 0 to 100.

    >>> ax = bleu_by_length([(1, 10), (11, 20)], {"attention": [61.2, 55.0]}, counts=[40, 12])
    >>> [label.get_text() for label in ax.get_xticklabels()]
    ['1–10\\nn = 40', '11–20\\nn = 12']
    """
    names, bleu, ends, sizes = as_bleu(buckets, scores, intervals, counts)
    if sizes:
        names = [f"{name}\nn = {size:,}" for name, size in zip(names, sizes)]
    with style(ax):
        ax = axes_of(ax, 7.5, 4.2)
        for n, ((label, line), marker) in enumerate(zip(bleu.items(), cycle(MARKERS))):
            # Side by side, so that the bars of two systems can be told apart.
            x = np.arange(len(names)) + 0.06 * (n - (len(bleu) - 1) / 2)
            error = abs(ends[label].T - line) if label in ends else None
            ax.errorbar(x, line, yerr=error, label=label, marker=marker, capsize=4)
        ax.set(title=title, xlabel="source length (tokens)", ylabel="BLEU (0 to 100)")
        ax.set(ylim=(0, 103), xlim=(-0.5, len(names) - 0.5))
        ax.set_xticks(range(len(names)), names, **label_style(ax))
        as_written(ax.title, *ax.legend(frameon=False).get_texts())
    return ax


def learning_curves(
    steps: Array,
    curves: Mapping[str, Array],
    *,
    title: str = "Learning curves",
    xlabel: str = "updates",
    ylabel: str = "loss (nats per token)",
    log: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Curves over training; several runs of one kind as their mean in a band from low to high.

    With other labels it draws any measure, for instance the norm of a gradient by its distance in
    time. Arguments: steps (N,); curves, label → (N,) or (runs, N); log, a logarithmic y axis.
    Returns the Axes. Raises ValueError where a length is not that of steps.

    >>> ax = learning_curves([0, 100], {"two runs": [[4.0, 2.0], [6.0, 3.0]]})
    >>> ax.lines[0].get_ydata().tolist()
    [5.0, 2.5]
    """
    x = as_array("steps", steps, (None,))
    arrays = as_arrays("curves", curves, (len(x),), (None, len(x)))
    lines = {label: np.atleast_2d(runs) for label, runs in arrays.items()}
    with style(ax):
        ax = axes_of(ax, 7.5, 4.2)
        draw_lines(ax, x, lines)
        ax.set(title=title, xlabel=xlabel, ylabel=ylabel, yscale="log" if log else "linear")
        labels = ax.legend(frameon=False).get_texts()
        as_written(ax.title, ax.xaxis.label, ax.yaxis.label, *labels)
    return ax


def draw_lines(ax: Axes, x: np.ndarray, lines: Mapping[str, np.ndarray]) -> None:
    """A line for each (runs, N) array: the mean, in a band from the lowest run to the highest."""
    every = max(1, len(x) // 12)  # enough markers to tell the lines apart, and none hidden
    for (label, runs), color, marker in zip(lines.items(), cycle(PALETTE), cycle(MARKERS)):
        ax.plot(x, runs.mean(axis=0), color=color, marker=marker, markevery=every, label=label)
        if len(runs) > 1:
            ax.fill_between(x, runs.min(axis=0), runs.max(axis=0), color=color, alpha=0.2, lw=0)
