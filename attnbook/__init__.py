"""attnbook: what makes the chapters a book: exercises with instant feedback, progress, grading.

The names are loaded when first asked for, so that a command (``attnbook.doctor``) does not wait
for the exercises. The checks are handed to the exercises here, as a registry that imports each when
it is asked for.
"""

from typing import TYPE_CHECKING

from attnlib.lazy import lazy_exports

from . import checks
from .approximate import approx_text, check_range
from .registry import register

__all__ = [
    "ExerciseError",
    "approx_text",
    "check_range",
    "exercise",
    "must_pass",
    "predict",
    "progress",
    "read_record",
    "recall",
    "reveal",
    "strict",
]

register(checks)

if TYPE_CHECKING:  # what editors and type checkers see
    from .exercises import ExerciseError, exercise, must_pass, strict
    from .reader.predictions import predict, reveal
    from .reader.questions import recall
    from .reader.table import progress
    from .recorded import read_record
else:
    # None of them may be the name of a module here, which would take its place once imported.
    _MODULE_BY_NAME = {
        **dict.fromkeys(("ExerciseError", "exercise", "must_pass", "strict"), "exercises"),
        **dict.fromkeys(("predict", "reveal"), "reader.predictions"),
        "progress": "reader.table",
        "read_record": "recorded",
        "recall": "reader.questions",
    }

    __getattr__, __dir__ = lazy_exports(__name__, _MODULE_BY_NAME)
