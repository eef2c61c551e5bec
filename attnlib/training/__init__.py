"""Losses, schedules, the training loop, and what is kept of a run."""

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
    "History",
    "Real",
    "Recipe",
    "Schedule",
    "Trainable",
    "batch_loss",
    "constant",
    "exponential",
    "fit",
    "inverse_sigmoid",
    "linear",
    "linear_cross_entropy",
    "masked_cross_entropy",
    "perplexity",
    "teacher_forced_loss",
    "token_cross_entropy",
]
