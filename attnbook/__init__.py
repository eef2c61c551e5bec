"""attnbook: what makes the chapters a book: exercises with instant feedback, progress, grading."""

from .about import about
from .exercises import ExerciseError, exercise, progress, strict

__all__ = ["ExerciseError", "about", "exercise", "progress", "strict"]
