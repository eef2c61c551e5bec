"""Gates and states of a recurrent cell along a sentence."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.pyplot import Figure

from attnlib.figures import (
    Array,
    as_written,
    clip,
    draw_heatmap,
    source_axis,
    style,
    tick_positions,
)

from .arrays import as_gates
from .curves import draw_lines


def gates_over_time(
    values: Mapping[str, Array], tokens: Sequence[str], *, title: str = "Gates along the sentence"
) -> Figure:
    """Gate values along a sentence: lines for (T,) values, a heat map of the units for (T, H).

    Arguments: values, name → (T,) or (T, H); tokens, T labels. Gates, whose values lie in [0, 1],
    are coloured from 0 to 1; others (a cell state) symmetrically around 0. Returns the Figure.
    Raises ValueError where a length is not that of the tokens or a value is not finite.

    >>> figure = gates_over_time({"forget gate": [0.9, 0.1]}, ["나는", "갔다"])
    >>> figure.axes[0].lines[0].get_ydata().tolist()
    [0.9, 0.1]
    """
    arrays = as_gates(values, tokens)
    lines = {name: array[None] for name, array in arrays.items() if array.ndim == 1}
    maps = {name: array.T for name, array in arrays.items() if array.ndim == 2}
    heights = [3.0] * bool(lines) + [clip(0.12 * len(m), 1.5, 3.0) for m in maps.values()]
    with style():
        size = (clip(2.5 + 0.62 * len(tokens), 6, 9), sum(heights) + 0.3 * len(heights) + 1.0)
        shape: Any = {"sharex": True, "squeeze": False, "height_ratios": heights}
        figure, grid = plt.subplots(len(heights), 1, figsize=size, **shape)
        if lines:
            gates = all(_is_gate(line) for line in lines.values())
            draw_lines(grid[0, 0], tick_positions(tokens), lines)
            grid[0, 0].set(**({"ylim": (-0.04, 1.04)} if gates else {}), ylabel="value")
            options: Any = {"loc": "lower center", "bbox_to_anchor": (0.5, 1), "frameon": False}
            as_written(*grid[0, 0].legend(ncols=4, **options).get_texts())
        for ax, (name, units) in zip(grid[bool(lines) :, 0], maps.items()):
            top = abs(units).max()
            limits, colors = ((0, 1), "cividis") if _is_gate(units) else ((-top, top), "PuOr")
            draw_heatmap(ax, units, limits, colors, {"label": "value", "pad": 0.02})
            ax.set(title=name, ylabel=f"{len(units)} units")
            as_written(ax.title)
            ax.tick_params(length=0)
        source_axis(grid[-1, 0], tokens)
        grid[-1, 0].set(xlabel="time step (word read)", xlim=(0, len(tokens)))
        as_written(figure.suptitle(title))
    return figure


def _is_gate(array: np.ndarray) -> bool:
    return bool(((array >= 0) & (array <= 1)).all())
