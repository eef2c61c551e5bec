"""attnbook: what makes the chapters a book: exercises with instant feedback, progress, grading."""

from .about import about
from .exercises import ExerciseError, exercise, strict
from .progress import progress

__all__ = ["ExerciseError", "about", "exercise", "progress", "strict"]
