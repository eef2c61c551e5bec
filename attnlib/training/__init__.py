"""Losses, schedules and the training loop."""

from .hooks import OneProcess
from .loop import fit
from .loss import (
    batch_loss,
    masked_cross_entropy,
    perplexity,
    teacher_forced_loss,
    token_cross_entropy,
)
from .recipe import History, Recipe
from .run import Training
from .schedules import Real, Schedule, constant, exponential, inverse_sigmoid, linear
from .state import Run
from .trainable import Trainable

__all__ = [
    "History",
    "OneProcess",
    "Real",
    "Recipe",
    "Run",
    "Schedule",
    "Trainable",
    "Training",
    "batch_loss",
    "constant",
    "exponential",
    "fit",
    "inverse_sigmoid",
    "linear",
    "masked_cross_entropy",
    "perplexity",
    "teacher_forced_loss",
    "token_cross_entropy",
]
