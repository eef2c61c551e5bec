"""Several processes that train one model together (``torchrun``), and one that trains alone.

Every process takes its share of the sentence pairs of every batch, so that many take the steps
that one would take: the batches, and with them the recipe, do not depend on their number.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, distributed, nn
from torch.nn.parallel import DistributedDataParallel

from ..data import TokenIds
from ..training import OneProcess


class Processes(OneProcess):
    """This process among those that train together: its number ``rank`` of ``world_size``.

    Arguments: largest, the sentence pairs of the largest batch. Raises ValueError where not even
    that has one for everybody.

    >>> alone = Processes(4)
    >>> alone.rank, alone.world_size, alone.mean(2.5)
    (0, 1, [2.5])
    """

    def __init__(self, largest: int) -> None:
        joined = distributed.is_available() and distributed.is_initialized()
        self.rank = distributed.get_rank() if joined else 0
        self.world_size = distributed.get_world_size() if joined else 1
        if largest < self.world_size:
            count = self.world_size
            needed = f"{count} processes need batches of at least {count} sentence pairs"
            raise ValueError(f"{needed}, the largest has {largest}; start fewer of them")

    def share(
        self, src: list[TokenIds], tgt: list[TokenIds]
    ) -> tuple[list[TokenIds], list[TokenIds], float]:
        """This process's pairs of a batch, every W-th, and the weight of their mean loss.

        DDP takes the mean over W processes, each of which knows the mean ℓ_r over its own n_r
        target tokens. What is wanted is the mean over all N tokens of the batch:

        ℓ = Σ_r n_r ℓ_r / N = 1/W Σ_r (W n_r / N) ℓ_r,  so a share counts W n_r / N

        A batch may have fewer pairs than there are processes: one without any takes the first,
        which counts 0.

        >>> Processes(2).share([[4], [5, 6]], [[7], [8]])
        ([[4], [5, 6]], [[7], [8]], 1.0)
        """
        own = slice(self.rank, None, self.world_size)
        local, total = (sum(len(ids) + 1 for ids in side) for side in (tgt[own], tgt))
        own = own if local else slice(1)
        return src[own], tgt[own], self.world_size * local / total

    def wrap_loss(self, loss: Callable[..., Tensor], model: nn.Module) -> Callable[..., Tensor]:
        """The loss of a model, whose gradients become their means over all processes (DDP)."""
        if self.world_size == 1:
            return super().wrap_loss(loss, model)
        return DistributedDataParallel(_Loss(loss, model))

    def mean(self, *values: float) -> list[float]:
        """The mean of each number over all processes, the same in each of them."""
        if self.world_size == 1:
            return list(values)
        # On the CPU, so that no process waits for its GPU.
        table = torch.tensor(values, dtype=torch.float64)
        distributed.all_reduce(table)
        return [total / self.world_size for total in table.tolist()]


class _Loss(nn.Module):
    """A model whose output is its loss, which is how DistributedDataParallel wants it."""

    def __init__(self, loss: Callable[..., Tensor], model: nn.Module) -> None:
        super().__init__()
        self.loss, self.model = loss, model

    def forward(self, *args: Any) -> Tensor:
        return self.loss(self.model, *args)


@contextmanager
def process_group(checkpoint: Path) -> Iterator[tuple[bool, bool]]:
    """Meet the other processes of a training where torchrun started several.

    Gives whether this process is the one that speaks, and whether it goes on after a crash with
    what the same torchrun began.
    """
    if "WORLD_SIZE" not in os.environ:
        yield True, False
        return
    rank, world_size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    store, again = _store_of_torchrun(rank, checkpoint)
    try:
        if world_size > 1:
            if torch.cuda.is_available():
                torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", rank)))
            # Gradients meet on the GPUs, what the processes agree upon on their hosts.
            backend = "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo"
            distributed.init_process_group(backend, store=store, rank=rank, world_size=world_size)
        yield rank == 0, again
    finally:
        if distributed.is_initialized():
            distributed.destroy_process_group()


def _store_of_torchrun(rank: int, checkpoint: Path) -> tuple[Any, bool]:
    """Where torchrun's processes meet, and whether the checkpoint was begun by this torchrun."""
    store, *_ = next(distributed.rendezvous("env://"))
    if rank == 0 and not checkpoint.is_file():
        store.set("begun", "here")  # read by the processes that torchrun starts after a crash
    again = checkpoint.is_file() and store.check(["begun"])
    if os.environ.get("LOCAL_WORLD_SIZE") == os.environ["WORLD_SIZE"]:  # all on this computer
        # Restarted processes must not find addresses of the one that died (pytorch #135712).
        attempt = os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")
        store = distributed.PrefixStore(attempt, store)
    return store, again
