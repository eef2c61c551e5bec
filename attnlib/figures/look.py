"""The book's look: colours that colour-blind readers can tell apart, legible sizes, Hangul.

Importing changes no setting: a figure is drawn inside ``style()``, a chapter calls ``use_style()``.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.pyplot import Axes
from matplotlib.text import Text

from .fonts import hangul_font

#: Okabe and Ito's colours (2008), in the order in which the lines of a figure take them.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")  # so that lines differ by more than color
_LOOK: dict[str, Any] = {
    **{"figure.dpi": 100, "figure.constrained_layout.use": True, "font.size": 11},
    **{"axes.titlesize": 13, "axes.labelsize": 11, "legend.fontsize": 10.5},
    **{"xtick.labelsize": 10.5, "ytick.labelsize": 10.5, "lines.linewidth": 2},
    **{"axes.grid": True, "grid.color": "#dddddd", "axes.axisbelow": True},
    **{"axes.spines.top": False, "axes.spines.right": False, "figure.titlesize": 13},
    **{"axes.edgecolor": "#444444", "figure.facecolor": "white", "axes.facecolor": "white"},
}


def use_style() -> None:
    """Give every figure from here on the book's look: for the set-up cell of a chapter.

    >>> with style():  # which puts everything back
    ...     use_style()
    ...     mpl.rcParams["axes.labelsize"]
    11.0
    """
    settings: Any = mpl.rcParams
    settings.update(_LOOK)
    settings.update({"axes.prop_cycle": plt.cycler(color=PALETTE), "font.family": [*hangul_font()]})


@contextmanager
def style() -> Iterator[None]:
    """The book's look inside a ``with`` block; afterwards every setting is as it was.

    >>> with style():
    ...     mpl.rcParams["axes.titlesize"]
    13.0
    """
    # Not rc_context: it would also undo that a notebook's backend, which matplotlib loads with the
    # first figure, turns the showing of figures on.
    settings: Any = mpl.rcParams
    before = {name: settings[name] for name in (*_LOOK, "axes.prop_cycle", "font.family")}
    try:
        use_style()
        yield
    finally:
        settings.update(before)


def as_written(*texts: Text) -> None:
    """Show texts as they were given: "$5 and $6", which matplotlib would read as a formula.

    >>> with style():
    ...     as_written(axes_of(None, 3, 2).set_title("$5 or $6"))
    """
    for text in texts:
        text.set_parse_math(False)


def clip(value: float | int, low: float | int, high: float | int) -> float | int:
    """The value, or the limit that it passes."""
    return min(high, max(low, value))


def axes_of(ax: Axes | None, width: float | int, height: float | int) -> Axes:
    """The axes to draw into: those given, or those of a new figure of this size in inches."""
    return plt.subplots(figsize=(width, height))[1] if ax is None else ax
