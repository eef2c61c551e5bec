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

from .fonts import with_hangul

#: Okabe and Ito's colours (2008), in the order in which the lines of a figure take them.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")  # so that lines differ by more than color
_RC_PARAMS: dict[str, Any] = {
    # All inks with the ground: a dark style sets both, and white words on white are not seen.
    **{name: ink for name, ink in mpl.rcParamsDefault.items() if name.endswith("color")},
    **{"figure.dpi": 100, "figure.constrained_layout.use": True, "font.size": 11},
    **{"axes.titlesize": 13, "axes.labelsize": 11, "legend.fontsize": 10.5},
    **{"xtick.labelsize": 10.5, "ytick.labelsize": 10.5, "lines.linewidth": 2},
    **{"axes.grid": True, "grid.color": "#dddddd", "axes.axisbelow": True},
    **{"axes.spines.top": False, "axes.spines.right": False, "figure.titlesize": 13},
    **{"axes.edgecolor": "#444444", "figure.facecolor": "white", "axes.facecolor": "white"},
}
_INKS = ("text.color", "axes.labelcolor", "xtick.color", "ytick.color")


def use_style() -> None:
    """Give every figure from here on the book's look: for the set-up cell of a chapter.

    Fonts that were set are kept; those with Hangul stand behind them.

    >>> with style():  # which puts everything back
    ...     use_style()
    ...     mpl.rcParams["axes.labelsize"]
    11.0
    """
    settings: Any = mpl.rcParams
    settings.update(_RC_PARAMS)
    families = with_hangul(settings["font.family"])
    settings.update({"axes.prop_cycle": plt.cycler(color=PALETTE), "font.family": families})


@contextmanager
def style(ax: Axes | None = None) -> Iterator[None]:
    """The book's look inside a ``with`` block; afterwards every setting is as it was.

    With axes that exist already, its inks are theirs, which are seen on their ground. Raises
    ValueError for what is no Axes.

    >>> with style():
    ...     mpl.rcParams["axes.titlesize"]
    13.0
    """
    # Not rc_context: it would also undo that a notebook's backend, which matplotlib loads with the
    # first figure, turns the showing of figures on.
    if not (ax is None or isinstance(ax, Axes)):
        several = "one of those that plt.subplots made, as axes[0]"
        raise ValueError(f"ax must be one Axes, got {type(ax).__name__}; {several}")
    settings: Any = mpl.rcParams
    before = {name: settings[name] for name in (*_RC_PARAMS, "axes.prop_cycle", "font.family")}
    try:
        use_style()
        if ax is not None:
            ink = ax.xaxis.label.get_color()
            settings.update(dict.fromkeys(_INKS, ink) | {"axes.facecolor": ax.get_facecolor()})
        yield
    finally:
        settings.update(before)


def as_written(*texts: Text) -> None:
    """Show texts as they were given: "$5 and $6", which matplotlib would read as a formula, and
    Hangul, also in axes that were made with other fonts.

    >>> with style():
    ...     as_written(axes_of(None, 3, 2).set_title("$5 or $6"))
    """
    for text in texts:
        text.set_parse_math(False)
        text.set_fontfamily(with_hangul(text.get_fontfamily()))


def label_style(ax: Axes) -> dict[str, Any]:
    """What ``set_xticks`` and ``set_yticks`` are told, so that labels are shown as by as_written.

    >>> with style():
    ...     label_style(axes_of(None, 3, 2))["parse_math"]
    False
    """
    families = with_hangul(ax.xaxis.label.get_fontfamily())
    return {"parse_math": False, "fontfamily": families}


def clip(value: float | int, low: float | int, high: float | int) -> float | int:
    """The value, or the limit that it passes."""
    return min(high, max(low, value))


def axes_of(ax: Axes | None, width: float | int, height: float | int) -> Axes:
    """The axes to draw into: those given, or those of a new figure of this size in inches."""
    return plt.subplots(figsize=(width, height))[1] if ax is None else ax
