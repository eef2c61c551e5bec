"""Live views: small interactive pictures for a chapter or for a page of their own."""

from .curves import bleu_view, kernel_view, temperature_view
from .hypotheses import beam_view, hypothesis_view, rerank_view
from .memory import gradient_view, lstm_view
from .sentence import attention_steps_view, learning_view
from .view import LIMIT, View

__all__ = [
    "LIMIT",
    "View",
    "attention_steps_view",
    "beam_view",
    "bleu_view",
    "gradient_view",
    "hypothesis_view",
    "kernel_view",
    "learning_view",
    "lstm_view",
    "rerank_view",
    "temperature_view",
]
