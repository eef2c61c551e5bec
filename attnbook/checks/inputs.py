"""What inputs of checks are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import torch
from torch import Tensor, nn

Inputs: TypeAlias = Iterator[dict[str, Any]]


def normal(seed: int) -> Callable[..., Tensor]:
    """A function that draws a tensor of a size from N(0, 1), the same numbers every time."""
    generator = torch.Generator().manual_seed(seed)
    return lambda *size: torch.randn(*size, generator=generator)


def generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


class Layers(nn.Module):
    """Layers of a model, without its forward pass."""

    def __getattr__(self, name: str) -> Any:
        part = super().__getattr__(name)  # on the learner's device, as copies of tensors are
        return part.to(torch.empty(0).device) if isinstance(part, nn.Module) else part

    def forward(self, *args: Any) -> Any:
        raise NotImplementedError(
            "here are layers and no forward pass: the pass is what you are to write"
        )
