"""attnbook: what makes the chapters a book: exercises with instant feedback, progress, grading.

The names are loaded when first asked for, so that a command (``attnbook.doctor``) does not wait
for the exercises.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .about import about, said

__all__ = [
    "ExerciseError",
    "about",
    "budget",
    "claims",
    "exercise",
    "must_pass",
    "predict",
    "progress",
    "recall",
    "reveal",
    "said",
    "strict",
]

if TYPE_CHECKING:  # what editors and type checkers see
    from .budgets import budget
    from .exercises import ExerciseError, exercise, must_pass, strict
    from .ledger import claims
    from .reader.predictions import predict, reveal
    from .reader.questions import recall
    from .reader.table import progress
else:
    # None of them may be the name of a module here, which would take its place once imported.
    _HOMES = {
        **dict.fromkeys(("ExerciseError", "exercise", "must_pass", "strict"), "exercises"),
        "budget": "budgets",
        "claims": "ledger",
        **dict.fromkeys(("predict", "reveal"), "reader.predictions"),
        "progress": "reader.table",
        "recall": "reader.questions",
    }

    def __getattr__(name: str) -> Any:
        """The names of the exercises are loaded when first asked for (PEP 562)."""
        if name in _HOMES:
            return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *_HOMES})
