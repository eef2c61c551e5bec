"""Checks that losses and gradients are finite: at every update, on a GPU at every tenth."""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from .hooks import OneProcess
from .recipe import Recipe
from .state import TrainingState

# Updates between two checks. Each reads the losses, for which the CPU waits until the GPU has
# nothing left to do (a synchronization). Adam on CUDA can skip a bad update before it is read.
CHECK_EVERY = {"cuda": 10}


class LossMonitor:
    """Checks the losses of a run, and lets no NaN or infinity reach a weight.

    ``pending`` holds the loss and the norm of the gradient of every update that was not read
    yet: with some of them a GPU may still be at work.
    """

    def __init__(
        self, run: TrainingState, processes: OneProcess, recipe: Recipe, device: torch.device
    ) -> None:
        self.run, self.processes = run, processes
        # Before every validation, all losses are read.
        skips = type(run.optimizer) is torch.optim.Adam
        every = CHECK_EVERY.get(device.type, 1) if skips else 1
        self.every = math.gcd(every, recipe.validate_every, recipe.updates or 0)
        self.pending: list[Tensor] = []

    def check_losses(self, loss: Float[Tensor, ""], norm: Float[Tensor, ""]) -> None:
        """Raise FloatingPointError where a loss or gradient is not finite, before the step.

        Between two reads, Adam skips all steps from the first bad one on.
        """
        update = self.run.history.updates  # those that are done
        self.pending.append(torch.stack([loss.detach(), norm]))
        table = torch.stack(self.pending)
        if (update + 1) % self.every:
            self.run.optimizer.found_inf = 1 - table.isfinite().all().float()  # type: ignore
            return
        for count, (value, length) in enumerate(table.tolist(), update + 2 - len(table)):
            (mean,) = self.processes.mean(value)
            check_is_finite(math.isfinite(mean), "loss", count)
            check_is_finite(math.isfinite(length), "gradient", count)
            self.run.losses.append(mean)
        self.pending = []


def check_is_finite(finite: bool, what: str, update: int) -> None:
    """Raise FloatingPointError unless a value of an update is finite; the first is update 1."""
    if not finite:
        message = f"the {what} of update {update} is not a number or not finite"
        advice = "try a smaller learning rate, or look for such numbers in the model"
        raise FloatingPointError(f"{message}; the weights were left as they are: {advice}")
