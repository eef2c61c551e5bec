"""Attention as a heat map, as in Bahdanau et al. (2015, Fig. 3)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib import patheffects
from matplotlib.pyplot import Axes, Rectangle

from .arrays import Array, Gold, as_weights
from .look import as_written, axes_of, clip, label_style, style


def attention_heatmap(
    weights: Array,
    src_tokens: Sequence[str],
    tgt_tokens: Sequence[str],
    *,
    gold: Gold | None = None,
    title: str = "Attention: where each target word looks",
    ax: Axes | None = None,
) -> Axes:
    """Heat map of weights α_tj: a row for each target word, a column for each source word.

    As in Bahdanau et al. (2015, Fig. 3): source words along the top, the first target word in the
    top row. The darker a cell, the more weight. The colours run from 0 to 1 in every figure, so
    that figures can be compared.

    Arguments: weights (T, S), each in [0, 1]; src_tokens, S labels (a line break puts a gloss
    under a word); tgt_tokens, T labels; gold, ``(sure, possible)`` sets of links (source index,
    target index), outlined; ax, an Axes to draw into, whose fonts and inks are kept (None: a new
    figure). Letters that the fonts lack are drawn as boxes: Latin and Hangul come along, for others
    set ``rcParams["font.family"]``. Returns the Axes. Raises ValueError where shapes disagree, a
    label is no text, a weight is outside [0, 1] or a link outside the matrix.

    >>> ax = attention_heatmap([[0.1, 0.9]], ["나는", "갔다"], ["went"])
    >>> [label.get_text() for label in ax.get_xticklabels()], ax.collections[0].get_clim()
    (['나는', '갔다'], (0.0, 1.0))
    """
    table, sure, possible = as_weights(weights, src_tokens, tgt_tokens, gold)
    with style(ax):
        column = clip(0.15 + _widest(src_tokens) * 10.5 / 72, 0.62, 1.1)  # inches
        width = clip(2.2 + column * len(src_tokens), 5, 9)
        ax = axes_of(ax, width, clip(1.6 + 0.4 * len(table), 3.2, 10))
        bar = {"label": r"attention weight $\alpha_{tj}$ (0 to 1)", "pad": 0.02}
        draw_heatmap(ax, table, (0, 1), "Blues", bar)
        source_axis(ax, src_tokens, top=True)
        font = clip(_points(ax.bbox.height, ax) / len(table), 6, 10.5)
        look = label_style(ax)
        ax.set_yticks(tick_positions(tgt_tokens), tgt_tokens, fontsize=font, rotation=0, **look)
        ax.set(xlabel="source word j", ylabel="target word t", title=title)
        as_written(ax.title, ax.xaxis.label, ax.yaxis.label)
        for links, kind, dash in ((sure, "sure", "-"), (possible, "possible", (0, (2, 1.4)))):
            for number, (j, t) in enumerate(sorted(links)):
                name = "_" if number else f"{kind} gold link"  # one line of the legend is enough
                ax.add_patch(_outline(j, t, name, dash))
        if sure or possible:
            ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.01), ncols=2)
    return ax


def draw_heatmap(ax: Axes, table: np.ndarray, limits: Any, colours: str, bar: dict) -> None:
    """A table as coloured cells with a colour bar, without labels."""
    import seaborn as sns  # half a second, for which no other figure should wait

    look: Any = {"vmin": limits[0], "vmax": limits[1], "cmap": colours, "cbar_kws": bar}
    rims = 0.5 if table.size <= 400 else 0
    sns.heatmap(table, ax=ax, linewidths=rims, xticklabels=False, yticklabels=False, **look)


def tick_positions(tokens: Sequence[str]) -> np.ndarray:
    """Where the centers of a heat map's cells are."""
    return np.arange(len(tokens)) + 0.5


def source_axis(ax: Axes, tokens: Sequence[str], top: bool = False) -> None:
    """Write a token at the centre of each column; slanted or smaller where room is short."""
    room = _points(ax.bbox.width, ax) / len(tokens)
    look: dict[str, Any] = {"fontsize": clip(room, 6, 10.5), **label_style(ax)}
    if _widest(tokens) * look["fontsize"] > room:
        look |= {"rotation": 50 if room > 18 else 90, "rotation_mode": "anchor"}
        look |= {"ha": "left" if top else "right", "va": "center" if room <= 18 else "baseline"}
    ax.set_xticks(tick_positions(tokens), tokens, **look)
    if top:
        ax.xaxis.tick_top()
        ax.xaxis.set_label_position("top")
    ax.tick_params(length=0)


def _outline(j: int, t: int, label: str, dash: Any) -> Rectangle:
    """Outline of row t, column j: orange on a white rim is seen on every blue of the map.

    It lies on the cell's border, so that no sliver of the cell is left outside of it.
    """
    box = Rectangle((j + 0.02, t + 0.02), 0.96, 0.96, fill=False, label=label, linestyle=dash)
    rim = patheffects.withStroke(linewidth=4.5, foreground="white")
    box.set(edgecolor="#d55e00", linewidth=2, path_effects=[rim], clip_on=False)
    return box


def _widest(tokens: Sequence[str]) -> float:
    """Width of the widest line, in multiples of the font size: Hangul is as wide as it is high."""
    lines = [line for token in tokens for line in token.split("\n")]
    return max(sum(1.0 if char >= "ᄀ" else 0.6 for char in line) for line in lines)


def _points(pixels: float, ax: Axes) -> float:
    """Points that remain of a length in pixels once the layout has made room for the labels."""
    return 0.92 * pixels * 72 / ax.figure.dpi
