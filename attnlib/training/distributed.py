"""Several processes that train one model together (``torchrun``), and one that trains alone.

Every process takes its share of the sentence pairs of every batch, so that many take the steps
that one would take: the batches, and with them the recipe, do not depend on their number.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor, distributed, nn
from torch.nn.parallel import DistributedDataParallel

from ..data import Ids


class Processes:
    """This process among those that train together: its number ``rank`` of ``world``.

    >>> alone = Processes()
    >>> alone.rank, alone.world, alone.mean(2.5)
    (0, 1, [2.5])
    """

    def __init__(self) -> None:
        joined = distributed.is_available() and distributed.is_initialized()
        self.rank = distributed.get_rank() if joined else 0
        self.world = distributed.get_world_size() if joined else 1

    def require_work(self, largest: int) -> None:
        """Raise ValueError where not even the largest batch has a sentence pair for everybody."""
        if largest < self.world:
            needed = f"{self.world} processes need batches of at least {self.world} sentence pairs"
            raise ValueError(f"{needed}, the largest has {largest}; start fewer of them")

    def share(self, src: list[Ids], tgt: list[Ids]) -> tuple[list[Ids], list[Ids], float]:
        """This process's pairs of a batch, every ``world``-th, and what their mean loss counts.

        DDP takes the mean over W processes, each of which knows the mean ℓ_r over its own n_r
        target tokens. What is wanted is the mean over all N tokens of the batch:

        ℓ = Σ_r n_r ℓ_r / N = 1/W Σ_r (W n_r / N) ℓ_r,  so a share counts W n_r / N

        A batch may have fewer pairs than there are processes: one without any takes the first,
        which counts 0.

        >>> Processes().share([[4], [5, 6]], [[7], [8]])
        ([[4], [5, 6]], [[7], [8]], 1.0)
        """
        own = slice(self.rank, None, self.world)
        mine, total = (sum(len(ids) + 1 for ids in side) for side in (tgt[own], tgt))
        own = own if mine else slice(1)
        return src[own], tgt[own], self.world * mine / total

    def together(self, loss: Callable[..., Tensor], model: nn.Module) -> Callable[..., Tensor]:
        """The loss of a model, whose gradients become their means over all processes (DDP)."""
        if self.world == 1:
            return partial(loss, model)
        return DistributedDataParallel(_Loss(loss, model))

    def mean(self, *values: float) -> list[float]:
        """The mean of each number over all processes, the same in each of them."""
        if self.world == 1:
            return list(values)
        # On the CPU, so that no process waits for its GPU.
        table = torch.tensor(values, dtype=torch.float64)
        distributed.all_reduce(table)
        return [total / self.world for total in table.tolist()]


class _Loss(nn.Module):
    """A model whose output is its loss, which is how DistributedDataParallel wants it."""

    def __init__(self, loss: Callable[..., Tensor], model: nn.Module) -> None:
        super().__init__()
        self.loss, self.model = loss, model

    def forward(self, *given: Any) -> Tensor:
        return self.loss(self.model, *given)
