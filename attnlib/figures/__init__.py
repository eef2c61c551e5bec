"""Figures and live views; arrays and labels in, pictures out."""

from .arrays import Array, Links, Records
from .beam import beam_tree
from .curves import bleu_by_length, learning_curves
from .fonts import hangul_font
from .gates import gates_over_time
from .heatmap import attention_heatmap
from .style import PALETTE, style, use_style
from .views import View, attention_view, beam_view, bleu_view, gates_view

__all__ = [
    "Array", "Links", "PALETTE", "Records", "View", "attention_heatmap", "attention_view",
    "beam_tree", "beam_view", "bleu_by_length", "bleu_view", "gates_over_time", "gates_view",
    "hangul_font", "learning_curves", "style", "use_style",
]  # fmt: skip
