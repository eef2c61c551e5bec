"""What inputs of checks are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import torch
from torch import Tensor

Inputs: TypeAlias = Iterator[dict[str, Any]]


def normal(seed: int) -> Callable[..., Tensor]:
    """A function that draws a tensor of a size from N(0, 1), the same numbers every time."""
    generator = torch.Generator().manual_seed(seed)
    return lambda *size: torch.randn(*size, generator=generator)


def generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)
