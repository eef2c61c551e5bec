"""attnbook: what makes the chapters a book: exercises with instant feedback, progress, grading."""

from .exercises import ExerciseError, exercise, progress, strict

__all__ = ["ExerciseError", "exercise", "progress", "strict"]
