"""Losses, schedules and the training loop."""

# "X as X" marks a name as public: for editors, type checkers and the reference (PEP 484).
from .hooks import OneProcess as OneProcess
from .loop import fit as fit
from .loss import batch_loss as batch_loss
from .loss import teacher_forced_loss as teacher_forced_loss
from .loss import token_cross_entropy as token_cross_entropy
from .recipe import History as History
from .recipe import Recipe as Recipe
from .run import Trainer as Trainer
from .schedules import Schedule as Schedule
from .schedules import constant_schedule as constant_schedule
from .schedules import exponential_decay as exponential_decay
from .schedules import inverse_sigmoid as inverse_sigmoid
from .schedules import linear_decay as linear_decay
from .state import TrainingState as TrainingState
from .trainable import Trainable as Trainable
