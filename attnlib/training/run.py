"""What stands around the steps of a training: seeds, rates, the clock, validation.

The randomness of an update (dropout, scheduled sampling, which batch) depends on the seed and the
update's number alone. A run that was stopped and resumed therefore ends with the same weights as
one that was not, and a checkpoint needs no state of any random generator.
"""

import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from ..checks import require
from ..data import Batch, Batches, make_batch
from ..device import autocast, choose_precision, seed_device
from ..model import evaluating
from .hooks import OneProcess
from .loss import batch_loss, teacher_forced_loss
from .recipe import Recipe
from .schedules import Schedule
from .state import TrainingState
from .trainable import Trainable, module_of


class Trainer:
    """One training, for the loop that takes its steps.

    ``run`` holds what must survive a stop, the optimizer among it; ``processes`` are those that
    share every batch.
    """

    def __init__(
        self,
        model: Trainable,
        batches: Batches,
        recipe: Recipe,
        teacher_forcing: Schedule,
        processes: OneProcess | None = None,
    ) -> None:
        self.model = module_of(model)
        require(isinstance(batches, Batches), "batches", "a Batches", type(batches).__name__)
        require(isinstance(recipe, Recipe), "recipe", "a Recipe", type(recipe).__name__)
        if not torch.is_grad_enabled():
            raise ValueError("gradients are switched off: call fit outside of torch.no_grad()")
        trains = any(parameter.requires_grad for parameter in model.parameters())
        require(trains, "model", "one with parameters to train", "requires_grad=False for all")
        self.batches, self.recipe, self.teacher_forcing = batches, recipe, teacher_forcing
        self.device = next(model.parameters()).device
        self.precision = choose_precision(recipe.precision, self.device)
        self.run, self.processes = TrainingState(self.model), processes or OneProcess()
        self.loss_of = self.processes.wrap_loss(batch_loss, self.model)
        self.local_batches, self.began = self._local_batches(), 0.0

    @property
    def is_validation_due(self) -> bool:
        """Whether it is time for a validation."""
        updates = self.run.history.updates
        return self.recipe.finished(self.run.history) or updates % self.recipe.validate_every == 0

    def _local_batches(self) -> Iterator[tuple[Batch, float]]:
        """This process's share of every batch, from where the history stands, and its weight."""
        while True:
            history = self.run.history
            for pairs in self.batches.unpadded_batches(history.epoch, history.batches_in_epoch):
                history.batches_in_epoch += 1
                src, tgt, weight = self.processes.share(*pairs)
                yield make_batch(src, tgt), weight
            history.epoch, history.batches_in_epoch = history.epoch + 1, 0

    def begin(self) -> tuple[Batch, float]:
        """The next batch, or this process's share of it, and the weight of its loss."""
        self.began = time.monotonic()
        return next(self.local_batches)

    def loss(self, batch: Batch) -> Float[Tensor, ""]:
        """``batch_loss`` as the recipe wants it: its precision, smoothing, and teacher forcing."""
        updates = self.run.history.updates
        # One seed for every (run, update, process): nothing needs to be remembered.
        seed = (self.recipe.seed * 1_000_003 + updates) * 64 + self.processes.rank
        seed_device(seed, self.device)
        generator, probability = torch.Generator(), self.teacher_forcing(updates)
        generator.manual_seed(seed + 2**40)  # of the draws of scheduled sampling
        with autocast(self.precision, self.device):
            return self.loss_of(batch, self.recipe.label_smoothing, probability, generator)

    def check_finite(self, loss: Float[Tensor, ""], norm: Float[Tensor, ""]) -> None:
        """Record the loss. Raises FloatingPointError where it or the gradient is not finite."""
        value, length = torch.stack([loss.detach(), norm]).tolist()  # the one wait for a GPU
        (mean,) = self.processes.mean(value)
        check_is_finite(math.isfinite(mean), "loss", self.run.history.updates + 1)
        check_is_finite(math.isfinite(length), "gradient", self.run.history.updates + 1)
        self.run.losses.append(mean)

    def set_learning_rates(self) -> None:
        """Give the optimizer the learning rates of this update."""
        history = self.run.history
        rate = self.recipe.learning_rate_at(history.updates, self.recipe.fraction_done(history))
        for group in self.run.optimizer.param_groups:
            group["lr"] = rate * (self.recipe.embedding_rate if group["embeds"] else 1)

    def end(self) -> None:
        """Count the update and its time."""
        history = self.run.history
        (seconds,) = self.processes.mean(time.monotonic() - self.began)
        history.updates, history.seconds = history.updates + 1, history.seconds + seconds

    def validate(self, valid: list[Batch], score: Callable[[Any], float] | None) -> bool:
        """Record how good the model is and keep its weights if it is the best; whether it is."""
        history, losses = self.run.history, self.run.losses
        loss = teacher_forced_loss(self.model, valid) if valid else float("nan")
        with evaluating(self.model):
            # With nothing to compare, the newest weights are the best.
            value = score(self.model) if score else -loss if valid else history.updates
        # The mean, so that all processes decide the same.
        value, loss = self.processes.mean(float(value), loss)
        check_is_finite(not valid or math.isfinite(loss), "validation loss", history.updates)
        # NaN is refused, −∞ is a valid score.
        check_is_finite(not math.isnan(value), "validation score", history.updates)
        history.validated_at.append(history.updates)
        history.train_loss.append(sum(losses) / max(len(losses), 1))
        history.valid_loss.append(loss)
        history.score.append(value)
        self.run.losses = []
        if is_best := value > history.best_score or not self.run.best:
            self.run.snapshot_best(value)
        return is_best


def check_is_finite(finite: bool, what: str, update: int) -> None:
    """Raise FloatingPointError unless a value of an update is finite; the first is update 1."""
    if not finite:
        message = f"the {what} of update {update} is not a number or not finite"
        advice = "try a smaller learning rate, or look for such numbers in the model"
        raise FloatingPointError(f"{message}; the weights were left as they are: {advice}")
