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
from .run import Trainer
from .schedules import (
    Real,
    Schedule,
    constant_schedule,
    exponential_decay,
    inverse_sigmoid,
    linear_decay,
)
from .state import TrainingState
from .trainable import Trainable

__all__ = [
    "History",
    "OneProcess",
    "Real",
    "Recipe",
    "Schedule",
    "Trainable",
    "Trainer",
    "TrainingState",
    "batch_loss",
    "constant_schedule",
    "exponential_decay",
    "fit",
    "inverse_sigmoid",
    "linear_decay",
    "masked_cross_entropy",
    "perplexity",
    "teacher_forced_loss",
    "token_cross_entropy",
]
