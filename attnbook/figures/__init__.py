"""Figures that only chapters show: curves, the tree of a beam search, drawings in SVG."""

from .curves import bleu_by_length, learning_curves
from .diagrams.attention import (
    attention_diagram,
    free_running_diagram,
    no_recurrence_diagram,
    weighted_mean_diagram,
)
from .diagrams.cells import bidirectional_diagram, gru_diagram, layouts_diagram, rnn_diagram
from .diagrams.diagram import Diagram
from .diagrams.emblem import encoder_decoder_diagram, opened_cell_diagram
from .diagrams.lstm import lstm_diagram, lstm_step_diagram
from .diagrams.paths import beam_diagram, lookup_diagram, ngram_diagram, scheduled_sampling_diagram
from .diagrams.scores import scores_diagram
from .diagrams.steps import decoder_step_diagram
from .diagrams.transformer import transformer_diagram
from .hangul import embedded_hangul
from .tree import STATUSES, Records, best_path, parse_tree

__all__ = [
    "Diagram",
    "Records",
    "STATUSES",
    "attention_diagram",
    "beam_diagram",
    "best_path",
    "bidirectional_diagram",
    "bleu_by_length",
    "decoder_step_diagram",
    "embedded_hangul",
    "encoder_decoder_diagram",
    "free_running_diagram",
    "gru_diagram",
    "layouts_diagram",
    "learning_curves",
    "lookup_diagram",
    "lstm_diagram",
    "lstm_step_diagram",
    "ngram_diagram",
    "no_recurrence_diagram",
    "opened_cell_diagram",
    "parse_tree",
    "rnn_diagram",
    "scheduled_sampling_diagram",
    "scores_diagram",
    "transformer_diagram",
    "weighted_mean_diagram",
]
