"""What inputs of checks are made of."""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, TypeVar

import torch
from torch import Tensor, nn

Inputs: TypeAlias = Iterator[dict[str, Any]]
Module = TypeVar("Module", bound=nn.Module)


def normal(seed: int) -> Callable[..., Tensor]:
    """A function that draws a tensor of a size from N(0, 1), the same numbers every time."""
    generator = torch.Generator().manual_seed(seed)
    return lambda *size: torch.randn(*size, generator=generator)


def generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def drawn(make: Callable[[], Module], seed: int, size: float = 1.0) -> Module:
    """A new module whose parameters are drawn from N(0, size²).

    The reader's random numbers go on as they would.
    """
    draw = normal(seed)
    with torch.random.fork_rng(devices=()), torch.no_grad():
        module = make()
        for parameter in module.parameters():
            parameter.copy_(size * draw(*parameter.shape))
    return module


class Layers(nn.Module):
    """Layers of a model, without its forward pass."""

    def __getattr__(self, name: str) -> Any:
        part = super().__getattr__(name)  # on the learner's device, as copies of tensors are
        return part.to(torch.empty(0).device) if isinstance(part, nn.Module) else part

    def forward(self, *args: Any) -> Any:
        raise NotImplementedError(
            "this object has layers but no forward pass: the pass is what you write here"
        )
