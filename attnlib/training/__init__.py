"""Losses, schedules, the training loop, and what is kept of a model."""

from ..model import describe, evaluating
from ..storage import (
    digest,
    load_weights,
    read_json,
    read_tensors,
    require_finite,
    write_json,
    write_tensors,
)
from .checkpoint import BEST, RESUME, require_no_run
from .loop import fit
from .loss import (
    batch_loss,
    linear_cross_entropy,
    masked_cross_entropy,
    perplexity,
    teacher_forced_loss,
    token_cross_entropy,
)
from .recipe import History, Recipe
from .schedules import Real, Schedule, constant, exponential, inverse_sigmoid, linear
from .trainable import Trainable

__all__ = [
    "BEST",
    "History",
    "RESUME",
    "Real",
    "Recipe",
    "Schedule",
    "Trainable",
    "batch_loss",
    "constant",
    "describe",
    "digest",
    "evaluating",
    "exponential",
    "fit",
    "inverse_sigmoid",
    "linear",
    "linear_cross_entropy",
    "load_weights",
    "masked_cross_entropy",
    "perplexity",
    "read_json",
    "read_tensors",
    "require_finite",
    "require_no_run",
    "teacher_forced_loss",
    "token_cross_entropy",
    "write_json",
    "write_tensors",
]
