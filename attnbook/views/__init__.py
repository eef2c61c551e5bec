"""Live views: small interactive pictures for a chapter or for a page of their own."""

from .views import View, attention_view, beam_view, bleu_view, gates_view

__all__ = ["View", "attention_view", "beam_view", "bleu_view", "gates_view"]
