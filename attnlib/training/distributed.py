"""Several processes that train one model together (``torchrun``), and one that trains alone."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

import torch
from torch import Tensor, distributed

T = TypeVar("T")


class Processes:
    """This process among those that train together: its number ``rank`` of ``world``.

    >>> alone = Processes(torch.device("cpu"))
    >>> alone.rank, alone.world, alone.mean(2.5)
    (0, 1, [2.5])
    """

    def __init__(self, device: torch.device) -> None:
        joined = distributed.is_available() and distributed.is_initialized()
        self.device = device
        self.rank = distributed.get_rank() if joined else 0
        self.world = distributed.get_world_size() if joined else 1

    def share(self, plan: Sequence[T], start: int) -> T | None:
        """This process's part of the next ``world`` parts of a plan; None where it is over.

        Raises ValueError for a plan that does not have a part for everybody.
        """
        if len(plan) < self.world:
            needed = f"{self.world} processes need at least {self.world} batches an epoch"
            remedy = "start fewer of them or make the batches smaller"
            raise ValueError(f"{needed}, got {len(plan)}; {remedy}")
        return plan[start + self.rank] if start + self.world <= len(plan) else None

    def mean(self, *values: float) -> list[float]:
        """The mean of each number over all processes, the same in each of them."""
        if self.world == 1:
            return list(values)
        table = torch.tensor(values, dtype=torch.float64, device=self.device)
        distributed.all_reduce(table)
        return [total / self.world for total in table.tolist()]

    def average_gradients(self, parameters: Iterable[Tensor]) -> None:
        """Replace every gradient by its mean over all processes."""
        for parameter in parameters if self.world > 1 else ():
            if parameter.grad is not None:
                distributed.all_reduce(parameter.grad)
                parameter.grad /= self.world
