"""Losses, schedules, the training loop, and what is kept of a model."""

from .checkpoint import (
    load_weights,
    read_json,
    read_tensors,
    write_json,
    write_tensors,
)
from .loop import (
    BEST,
    RESUME,
    History,
    Recipe,
    batch_loss,
    fit,
    teacher_forced_loss,
)
from .loss import (
    masked_cross_entropy,
    perplexity,
    token_cross_entropy,
)
from .schedules import (
    SCHEDULES,
    Real,
    Schedule,
    constant,
    exponential,
    inverse_sigmoid,
    linear,
    make_schedule,
)

__all__ = [
    "BEST",
    "History",
    "RESUME",
    "Real",
    "Recipe",
    "SCHEDULES",
    "Schedule",
    "batch_loss",
    "constant",
    "exponential",
    "fit",
    "inverse_sigmoid",
    "linear",
    "load_weights",
    "make_schedule",
    "masked_cross_entropy",
    "perplexity",
    "read_json",
    "read_tensors",
    "teacher_forced_loss",
    "token_cross_entropy",
    "write_json",
    "write_tensors",
]
