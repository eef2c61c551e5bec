"""Exercises with instant feedback: ``@exercise`` under which the learner writes a function.

    @exercise
    def general_score(query, keys, weight):
        raise NotImplementedError

Below the cell stands one of three verdicts: ○ not attempted, ✗ wrong (what it points to, the
smallest input for which it is, what was expected and what came), ✓ right (and what was checked).
``exercise.mine(**exercise.failing)`` calls the function that was refused last on that input.
The name then means the learner's function where it is right, and the book's own where it is not,
so that the rest of the chapter always runs.
"""

from .engine import ExerciseError, exercise, must_pass, strict
from .spec import Call, Exercise, Function, Mistakes, Rule

__all__ = [
    "Call",
    "Exercise",
    "ExerciseError",
    "Function",
    "Mistakes",
    "Rule",
    "exercise",
    "must_pass",
    "strict",
]
