"""Figures; arrays and labels in, pictures out."""

# ruff: noqa: I001 (a door in few lines: names side by side)

from .arrays import (
    STATUSES, Array, Links, Records, best_path, check_bleu, check_gates, check_tree, check_weights,
)  # fmt: skip
from .beam import beam_tree
from .curves import bleu_by_length, learning_curves
from .fonts import hangul_font, packaged_font
from .gates import gates_over_time
from .heatmap import attention_heatmap
from .style import PALETTE, style, use_style

__all__ = [
    "Array", "Links", "PALETTE", "Records", "STATUSES", "attention_heatmap", "beam_tree",
    "best_path", "bleu_by_length", "check_bleu", "check_gates", "check_tree", "check_weights",
    "gates_over_time", "hangul_font", "learning_curves", "packaged_font", "style", "use_style",
]  # fmt: skip
