"""Figures and live views; arrays and labels in, pictures out."""

from .plots import (
    PALETTE,
    Array,
    Links,
    Records,
    attention_heatmap,
    beam_tree,
    bleu_by_length,
    describe_beam,
    describe_heatmap,
    describe_lines,
    gates_over_time,
    hangul_font,
    learning_curves,
    style,
    use_style,
)
from .views import (
    View,
    attention_view,
    beam_view,
    bleu_view,
    gates_view,
)

__all__ = [
    "Array",
    "Links",
    "PALETTE",
    "Records",
    "View",
    "attention_heatmap",
    "attention_view",
    "beam_tree",
    "beam_view",
    "bleu_by_length",
    "bleu_view",
    "describe_beam",
    "describe_heatmap",
    "describe_lines",
    "gates_over_time",
    "gates_view",
    "hangul_font",
    "learning_curves",
    "style",
    "use_style",
]
