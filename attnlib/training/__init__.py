"""Losses, schedules, the training loop, and what is kept of a model."""

# ruff: noqa: I001 (a door in few lines: names side by side)

from .checkpoint import (
    BEST, RESUME, describe, load_weights, read_json, read_tensors, write_json, write_tensors,
)  # fmt: skip
from .loop import fit
from .loss import (
    batch_loss, evaluating, linear_cross_entropy, masked_cross_entropy, perplexity,
    teacher_forced_loss, token_cross_entropy,
)  # fmt: skip
from .recipe import History, Recipe
from .schedules import Real, Schedule, constant, exponential, inverse_sigmoid, linear

__all__ = [
    "BEST", "History", "RESUME", "Real", "Recipe", "Schedule", "batch_loss", "constant", "describe",
    "evaluating", "exponential", "fit", "inverse_sigmoid", "linear", "linear_cross_entropy",
    "load_weights", "masked_cross_entropy", "perplexity", "read_json", "read_tensors",
    "teacher_forced_loss", "token_cross_entropy", "write_json", "write_tensors",
]  # fmt: skip
