"""What checks of chapter 7 share."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

Step = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]


def generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def chain(seed: int, words: int) -> Step:
    """A decoder of one table: what follows depends on the last word and on how many were read."""
    table = torch.randn(words, words, generator=generator(seed))

    def step(tokens: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        if not isinstance(tokens, Tensor) or tokens.dim() != 1:
            raise ValueError("step wants one token for each sentence, of shape (B,)")
        pattern = torch.arange(words, device=tokens.device)
        logits = table.to(tokens.device)[tokens] + 0.5 * torch.sin(state.unsqueeze(1) * pattern)
        return logits, state + 1.0

    return step
