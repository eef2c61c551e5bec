"""What must survive a stop of a training: weights, the optimizer, best weights, and history."""

from typing import Any

import torch
from torch import Tensor, nn

from .recipe import History


class TrainingState:
    """A model in training with its optimizer, its history, and the best weights so far."""

    def __init__(self, model: nn.Module) -> None:
        self.model = model
        self.parameters = dict(model.named_parameters())  # a shared table appears once
        self.optimizer = _adam(_groups(model))
        self.history = History()
        self.losses: list[float] = []  # since the last validation
        self.best: dict[str, Tensor] = {}

    def snapshot_best(self, score: float) -> None:
        """Remember the weights as they are now, and what they are worth."""
        self.history.best_score, self.history.best_update = score, self.history.updates
        self.best = {name: p.detach().clone() for name, p in self.parameters.items()}

    def load_best(self) -> None:
        """Give the model its best weights."""
        with torch.no_grad():
            for name, parameter in self.parameters.items():
                parameter.copy_(self.best[name])


def _groups(model: nn.Module) -> list[dict[str, Any]]:
    """The parameters in two groups, for the rate of the embedding tables may be another."""
    # In order; a shared parameter once.
    tables = {module.weight: None for module in model.modules() if isinstance(module, nn.Embedding)}
    others = [parameter for parameter in model.parameters() if parameter not in tables]
    return [{"params": [*tables], "embeds": True}, {"params": others, "embeds": False}]


def _adam(groups: Any) -> torch.optim.Adam:
    """The optimizer of every training (Kingma and Ba 2015)."""
    betas = (0.9, 0.98)
    try:
        return torch.optim.Adam(groups, betas=betas, fused=True)
    except RuntimeError:  # older versions of torch have the fused form on CUDA only
        return torch.optim.Adam(groups, betas=betas)
