"""The interface of a program under measurement.

Nothing here or in the modules of the peers imports attnlib: its memory is not theirs.
"""

import sys
from abc import ABC, abstractmethod
from typing import Any, NamedTuple
from unittest.mock import MagicMock

import torch
from torch import Tensor, nn

PAD, UNK, BOS, EOS = 0, 1, 2, 3  # numbered so in every program


class Work(NamedTuple):
    """Sizes that all programs of a comparison share, and what they may differ in."""

    src_size: int
    tgt_size: int
    embedding: int = 256
    hidden: int = 512  # of the decoder, and of both directions of the encoder together
    dropout: float = 0.2
    score: str = "general"  # "dot", "scaled_dot", "general", "concat" or "additive"
    feeding: bool = False
    decoder: str = "luong"  # or "bahdanau"
    output: int = 512  # what the output layer of attnlib reads


class Batch(NamedTuple):
    """A padded batch; sources end with EOS, targets begin with BOS where they are read."""

    src: Tensor  # (B, S)
    src_mask: Tensor  # (B, S) bool, True = real
    tgt_in: Tensor  # (B, T), begins with BOS
    tgt_out: Tensor  # (B, T), ends with EOS
    tgt_mask: Tensor  # (B, T) bool, True = real

    @property
    def tgt(self) -> Tensor:
        """BOS y_1 … y_n EOS (B, T + 1), as most programs keep a target."""
        return torch.cat([self.tgt_in[:, :1], self.tgt_out], dim=1)


class Program(ABC):
    """A model and its optimizer, as the program itself puts them together."""

    model: nn.Module
    optimizer: torch.optim.Optimizer

    @abstractmethod
    def loss(self, batch: Batch) -> Tensor:
        """Cross-entropy per real target token, in nats, as the program's own trainer has it."""

    def decode(self, src: Tensor, mask: Tensor, beam: int, steps: int) -> Any:
        """Exactly ``steps`` steps of greedy (beam 1) or beam search for every sentence."""
        raise NotImplementedError

    def update(self, batch: Batch) -> float:
        """One update: forward, loss, backward, clip, Adam; the loss."""
        self.model.train()
        loss = self.loss(batch)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return loss.item()

    def parameters(self) -> int:
        return sum(parameter.numel() for parameter in self.model.parameters())


def without(*names: str) -> None:
    """Put stand-ins where a peer imports, at its start, what is never run here."""
    for name in names:
        sys.modules.setdefault(name, MagicMock(__path__=[], __spec__=None))
