"""Whether losses and gradients are still numbers: seen at every update, or of a GPU seldom."""

import math

import torch
from torch import Tensor

from .hooks import OneProcess
from .recipe import Recipe
from .state import TrainingState

# After how many updates the host looks at their losses, for which it waits until a GPU has nothing
# left to do. CUDA's Adam can be told to skip a bad update that nobody has seen; not all others can.
CHECK_EVERY = {"cuda": 10}


class LossMonitor:
    """Looks at the losses of a run, and lets none that is no number reach a weight.

    ``pending`` holds the loss and the norm of the gradient of every update that the host has not
    looked at: with some of them a GPU may still be at work.
    """

    def __init__(
        self, run: TrainingState, processes: OneProcess, recipe: Recipe, device: torch.device
    ) -> None:
        self.run, self.processes = run, processes
        # Before every validation, all losses are looked at.
        skips = type(run.optimizer) is torch.optim.Adam
        look = CHECK_EVERY.get(device.type, 1) if skips else 1
        self.every = math.gcd(look, recipe.validate_every, recipe.updates or 0)
        self.pending: list[Tensor] = []

    def check_losses(self, loss: Tensor, norm: Tensor) -> None:
        """Raise FloatingPointError where a loss or gradient is none, before the step is taken.

        Where the host does not look now, Adam is let skip all steps from the first bad one on.
        """
        update = self.run.history.updates  # those that are done
        self.pending.append(torch.stack([loss.detach(), norm]))
        table = torch.stack(self.pending)
        if (update + 1) % self.every:
            self.run.optimizer.found_inf = 1 - table.isfinite().all().float()  # type: ignore
            return
        for count, (value, length) in enumerate(table.tolist(), update + 2 - len(table)):
            (mean,) = self.processes.mean(value)
            check_finite(math.isfinite(mean), "loss", count)
            check_finite(math.isfinite(length), "gradient", count)
            self.run.losses.append(mean)
        self.pending = []


def check_finite(finite: bool, what: str, update: int) -> None:
    """Raise FloatingPointError where what an update found is not finite; the first is update 1."""
    if not finite:
        found = f"the {what} of update {update} is not a number or not finite"
        advice = "try a smaller learning rate, or look for such numbers in the model"
        raise FloatingPointError(f"{found}; the weights were left as they are: {advice}")
