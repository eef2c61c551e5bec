"""Figures; arrays and labels in, pictures out."""

from typing import TYPE_CHECKING

__all__ = [
    "Array",
    "Gold",
    "MARKERS",
    "PALETTE",
    "as_array",
    "as_weights",
    "as_written",
    "attention_heatmap",
    "axes_of",
    "check_labels",
    "clip",
    "draw_heatmap",
    "hangul_font",
    "label_style",
    "packaged_font",
    "source_axis",
    "style",
    "tick_positions",
    "use_style",
]

if TYPE_CHECKING:  # what editors and type checkers see
    from .arrays import Array, Gold, as_array, as_weights, check_labels
    from .fonts import hangul_font, packaged_font
    from .heatmap import attention_heatmap, draw_heatmap, source_axis, tick_positions
    from .look import MARKERS, PALETTE, as_written, axes_of, clip, label_style, style, use_style
else:
    from ..lazy import lazy_exports

    # Pyplot, which takes a while, is loaded by what draws alone.
    _MODULE_BY_NAME = {
        "arrays": "Array Gold as_array check_labels as_weights",
        "fonts": "hangul_font packaged_font",
        "heatmap": "attention_heatmap tick_positions draw_heatmap source_axis",
        "look": "MARKERS PALETTE as_written axes_of clip label_style style use_style",
    }
    __getattr__, __dir__ = lazy_exports(
        __name__, {name: home for home, names in _MODULE_BY_NAME.items() for name in names.split()}
    )
