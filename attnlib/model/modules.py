"""What can be said of any module, and how it is asked without being trained."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn


def describe(model: nn.Module) -> dict[str, Any]:
    """All that makes a model and is no parameter, part by part: kinds, sizes, dropout, switches.

    Two models with the same description and the same parameters compute the same.

    >>> describe(nn.Dropout(0.25))
    {'model': 'Dropout', 'model.p': 0.25, 'model.inplace': False}
    """
    found: dict[str, Any] = {}
    for name, part in model.named_modules(prefix="model"):
        found[name] = type(part).__qualname__
        for setting, value in vars(part).items():
            if not setting.startswith("_") and setting not in ("training", "architecture"):
                plain = isinstance(value, bool | int | float | str | tuple | None)
                found[f"{name}.{setting}"] = value if plain else type(value).__qualname__
        if part._forward_hooks or part._forward_pre_hooks:
            found[f"{name}.hooks"] = "functions"
    return found


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Within: no dropout and no gradients; afterwards every part is in the mode it was in.

    >>> model = nn.Dropout(0.5)
    >>> with evaluating(model):
    ...     print(model.training)
    False
    >>> model.training
    True
    """
    modes = [(part, part.training) for part in model.modules()]
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:  # after Ctrl-C too
        for part, training in modes:
            part.training = training
