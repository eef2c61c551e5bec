"""What a training run is asked to do, and what became of it."""

import dataclasses
import math

from ..checks import SEED_LIMIT, as_int, as_number, check_name, plain, require
from ..device import PRECISIONS

UPDATES = 1000  # of a recipe that does not say how long


@dataclasses.dataclass
class History:
    """What happened: one row a validation, in lists of equal length, and where it stopped."""

    validated_at: list[int] = dataclasses.field(default_factory=list)
    train_loss: list[float] = dataclasses.field(default_factory=list)  # nats, smoothed
    valid_loss: list[float] = dataclasses.field(default_factory=list)  # nats, teacher-forced
    score: list[float] = dataclasses.field(default_factory=list)  # higher is better
    best_update: int = 0
    best_score: float = float("-inf")
    updates: int = 0
    epoch: int = 0
    batches_in_epoch: int = 0  # batches of this epoch already seen
    seconds: float = 0.0


@dataclasses.dataclass(frozen=True)
class Recipe:
    """How long and how fast to train: ``updates`` (1,000), or ``minutes`` to train by the clock.

    Raises ValueError for a field that makes no sense, and for updates and minutes at once.

    >>> Recipe().updates, Recipe(minutes=5).updates
    (1000, None)
    >>> Recipe(updates=100, label_smoothing=2.0)
    Traceback (most recent call last):
    ValueError: label_smoothing must be at least 0 and below 1, got 2.0
    """

    updates: int | None = None  # 1,000 where there are no minutes either
    minutes: float | int | None = None
    learning_rate: float = 2e-3  # the peak, after the warm-up
    embedding_rate: float = 1.0  # learning rate of embedding tables, as a multiple of the others'
    warmup: int = 100  # updates from 0 to the peak
    final_rate: float = 0.02  # what the linear decay ends at, as a share of the peak
    label_smoothing: float = 0.1
    clip: float = 1.0  # largest gradient norm (Pascanu et al. 2013)
    validate_every: int = 500  # updates between two validations, each also a checkpoint
    patience: int | None = None  # stop after so many validations without a new best
    precision: str | None = None  # "fp32", "bf16", or None: bf16 where it is fast
    seed: int = 1

    def __post_init__(self) -> None:
        if self.updates is not None and self.minutes is not None:
            raise ValueError(f"give updates or minutes, got {self.updates} and {self.minutes}")
        if self.updates is None and self.minutes is None:
            object.__setattr__(self, "updates", UPDATES)
        for field in dataclasses.fields(self):  # as Python's numbers, which a checkpoint can hold
            object.__setattr__(self, field.name, plain(getattr(self, field.name)))
        for name in ("updates", "validate_every", "patience"):
            if getattr(self, name) is not None or name == "validate_every":
                as_int(name, getattr(self, name))
        as_int("warmup", self.warmup, 0)
        as_int("seed", self.seed, 0, SEED_LIMIT)
        for name in ("minutes", "learning_rate", "embedding_rate"):
            if (value := getattr(self, name)) is not None or name != "minutes":
                finite = 0 < as_number(value) < math.inf
                require(finite, name, "a finite number larger than 0", value)
        require(as_number(self.clip) > 0, "clip", "larger than 0", self.clip)  # ∞: no clipping
        share = 0 <= as_number(self.final_rate) <= 1
        require(share, "final_rate", "between 0 and 1", self.final_rate)
        smoothed = 0 <= as_number(self.label_smoothing) < 1
        require(smoothed, "label_smoothing", "at least 0 and below 1", self.label_smoothing)
        if self.precision is not None:
            check_name("precision", self.precision, PRECISIONS)

    def learning_rate_at(self, update: int, done: float) -> float:
        """Learning rate of an update: linear warm-up, then linear decay over the share done.

        >>> recipe = Recipe(updates=100, learning_rate=1.0, warmup=10, final_rate=0.0)
        >>> recipe.learning_rate_at(0, 0.0), recipe.learning_rate_at(50, 0.5)
        (0.1, 0.5)
        """
        decay = 1 - (1 - self.final_rate) * min(done, 1.0)
        return self.learning_rate * min((update + 1) / max(self.warmup, 1), decay)

    def fraction_done(self, history: History) -> float:
        """The share of the run that is over, by updates or by the clock.

        >>> Recipe(updates=100).fraction_done(History(updates=25))
        0.25
        """
        if self.minutes is not None:
            return history.seconds / (60 * self.minutes)
        return history.updates / (self.updates or 1)

    def finished(self, history: History) -> bool:
        """Whether the run is over, or has been without a new best for too long.

        >>> Recipe(updates=100).finished(History(updates=100))
        True
        """
        if self.patience is None:
            return self.fraction_done(history) >= 1.0
        since_best = sum(update > history.best_update for update in history.validated_at)
        return self.fraction_done(history) >= 1.0 or since_best >= self.patience
