"""What ``fit`` may be handed: what saves and resumes a run, and what shares it among processes."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Protocol, runtime_checkable

from torch import Tensor, nn

from ..data import TokenIds


@runtime_checkable
class Saver(Protocol):
    """What saves a training and goes on with it: ``attnlib.translator.Checkpoint``, in a folder."""

    @property
    def stopped(self) -> BaseException | None:
        """What the training is to end with once this update is saved; None where it goes on."""

    def open(self, trainer: Any) -> AbstractContextManager[object]:
        """Within, the training may be saved; one that is resumed has its state back."""

    def save(self, trainer: Any, is_best: bool) -> None:
        """Save a training; ``is_best`` where its weights are the best so far."""


class OneProcess:
    """A process that trains alone; one among several overrides all of it.

    >>> OneProcess().share([[4], [5, 6]], [[7], [8]])
    ([[4], [5, 6]], [[7], [8]], 1.0)
    """

    rank, world_size = 0, 1

    def share(
        self, src: list[TokenIds], tgt: list[TokenIds]
    ) -> tuple[list[TokenIds], list[TokenIds], float]:
        """This process's pairs of a batch, and the weight of their mean loss."""
        return src, tgt, 1.0

    def wrap_loss(self, loss: Callable[..., Tensor], model: nn.Module) -> Callable[..., Tensor]:
        """The loss of a model, whose gradients are the means over all processes."""
        return partial(loss, model)

    def mean(self, *values: float) -> list[float]:
        """The mean of each number over all processes."""
        return list(values)
