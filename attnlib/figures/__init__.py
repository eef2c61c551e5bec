"""Figures; arrays and labels in, pictures out."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = [
    "Array", "Links", "MARKERS", "PALETTE", "as_array", "as_arrays", "as_written",
    "attention_heatmap", "axes_of", "centres", "check_bleu", "check_gates", "check_weights", "clip",
    "hangul_font", "heat", "packaged_font", "source_axis", "style", "use_style",
]  # fmt: skip

if TYPE_CHECKING:  # what editors and type checkers see
    from .arrays import Array, Links, as_array, as_arrays, check_bleu, check_gates, check_weights
    from .fonts import hangul_font, packaged_font
    from .heatmap import attention_heatmap, centres, heat, source_axis
    from .look import MARKERS, PALETTE, as_written, axes_of, clip, style, use_style
else:

    def __getattr__(name: str) -> Any:
        """Loaded when first asked for, and pyplot, which takes a while, by what draws alone."""
        for home in ("arrays", "fonts", "look", "heatmap"):
            if name in __all__ and hasattr(module := import_module(f".{home}", __name__), name):
                return globals().setdefault(name, getattr(module, name))
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
