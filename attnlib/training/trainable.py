"""What a model must offer to be trained."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import torch
from torch import Tensor, nn
from torch.nn import Parameter

from ..checks import require


@runtime_checkable
class Trainable(Protocol):
    """A torch.nn.Module that ``fit`` can train: it has an output layer and the features it reads.

    The loss is that of the logits ``output(features)``, of which only those of real tokens are
    made. ``Seq2Seq`` and ``Transformer`` are two; a model of your own is another, from whatever
    class it comes.

    >>> from attnlib.model import make_seq2seq
    >>> isinstance(make_seq2seq(9, 9), Trainable), isinstance(nn.Linear(2, 2), Trainable)
    (True, False)
    """

    if TYPE_CHECKING:  # from Python 3.12 on isinstance does not see the layers of a module

        @property
        def output(self) -> nn.Linear:
            """The layer that makes logits (..., V) of features (..., O)."""

    def features(
        self,
        src: Tensor,
        src_mask: Tensor,
        tgt_in: Tensor,
        teacher_forcing: float = 1.0,
        generator: torch.Generator | None = None,
    ) -> tuple[Tensor, Any]:
        """Features (B, T, O) of every target position, and anything else (attention weights).

        Arguments: src (B, S) int64 and src_mask (B, S) bool, True = real token; tgt_in (B, T)
        int64, start + sentence; teacher_forcing, the probability that a step is fed the gold
        token; generator, of the Bernoulli draws that decide it (on the CPU).
        """

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """Of a module."""


def module_of(model: Trainable) -> Any:
    """The same model, as the module that it must be; of a compiled one, what was compiled, whose
    weights bear their own names. Raises ValueError for what is not trainable."""
    module, kind = getattr(model, "_orig_mod", model), type(model).__name__
    require(isinstance(module, nn.Module), "model", "a torch.nn.Module", kind)
    fits = hasattr(module, "features") and hasattr(module, "output")
    require(fits, "model", "one with an output layer and features(), as a Trainable has", kind)
    return module
