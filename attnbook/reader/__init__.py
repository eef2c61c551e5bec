"""What the reader answers, predicts and has done: recall, predictions, the map of the book."""

from .questions import LETTERS, Question, as_html, first_questions

__all__ = ["LETTERS", "Question", "as_html", "first_questions"]
