"""What the reader answers, predicts and has done: recall, predictions, the map of the book."""

from .questions import LETTERS, Question, as_html, asked

__all__ = ["LETTERS", "Question", "as_html", "asked"]
