"""Figures; arrays and labels in, pictures out."""

from typing import TYPE_CHECKING

__all__ = [
    "Array",
    "Gold",
    "MARKERS",
    "PALETTE",
    "as_array",
    "as_written",
    "attention_heatmap",
    "axes_of",
    "centres",
    "check_labels",
    "check_weights",
    "clip",
    "hangul_font",
    "heat",
    "label_look",
    "packaged_font",
    "source_axis",
    "style",
    "use_style",
]

if TYPE_CHECKING:  # what editors and type checkers see
    from .arrays import Array, Gold, as_array, check_labels, check_weights
    from .fonts import hangul_font, packaged_font
    from .heatmap import attention_heatmap, centres, heat, source_axis
    from .look import MARKERS, PALETTE, as_written, axes_of, clip, label_look, style, use_style
else:
    from ..lazy import lazy_exports

    # Pyplot, which takes a while, is loaded by what draws alone.
    _HOMES = {
        "arrays": "Array Gold as_array check_labels check_weights",
        "fonts": "hangul_font packaged_font",
        "heatmap": "attention_heatmap centres heat source_axis",
        "look": "MARKERS PALETTE as_written axes_of clip label_look style use_style",
    }
    __getattr__, __dir__ = lazy_exports(
        __name__, {name: home for home, names in _HOMES.items() for name in names.split()}
    )
