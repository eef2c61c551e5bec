"""What checks of chapter 1 share."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from attnbook.checks.ch01.rnn_step import rnn_step
from attnbook.checks.shared import normal


def cell(seed: int, size: int, hidden: int) -> Callable[[Tensor, Tensor | None], Tensor]:
    make = normal(seed)
    weights = 0.7 * make(hidden, size), 0.7 * make(hidden, hidden), make(hidden), make(hidden)

    def cell(x: Tensor, state: Tensor | None) -> Tensor:
        return rnn_step(x, x.new_zeros(len(x), hidden) if state is None else state, *weights)

    return cell


class Network(nn.Module):
    """A small model of language as the chapter's: states of token numbers, and their logits."""

    __name__ = "network"  # as the learner is shown it

    def __init__(self, seed: int, tokens: int = 3, hidden: int = 2, size: float = 1.0) -> None:
        super().__init__()
        with torch.random.fork_rng(devices=()):  # the reader's random numbers go on as they would
            self.embed = nn.Embedding(tokens, 2)
            self.rnn = nn.RNN(2, hidden, batch_first=True)
            self.output = nn.Linear(hidden, tokens)
        make = normal(seed)
        with torch.no_grad():
            for parameter in self.parameters():
                parameter.copy_(size * make(*parameter.shape))

    def forward(self, ids: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
        states, last = self.rnn(self.embed(ids), state)
        return states, last
