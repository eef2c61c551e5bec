"""What can be said of any module, and how it is asked without being trained."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import torch
from torch import nn

# Of every module that is being evaluated: in how many blocks, and the mode before the first.
_EVALUATED: WeakKeyDictionary[nn.Module, tuple[int, bool]] = WeakKeyDictionary()
_LOCK = Lock()


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

    Several threads may evaluate one model at the same time: the last that ends puts the modes back.
    (A model cannot be trained meanwhile: its mode is that of all threads.)

    >>> model = nn.Dropout(0.5)
    >>> with evaluating(model):
    ...     print(model.training)
    False
    >>> model.training
    True
    """
    parts = list(model.modules())
    with _LOCK:
        for part in parts:
            blocks, training = _EVALUATED.get(part, (0, part.training))
            _EVALUATED[part] = blocks + 1, training
        model.eval()
    try:
        with torch.no_grad():
            yield
    finally:  # after Ctrl-C too
        with _LOCK:
            for part in parts:
                blocks, training = _EVALUATED.pop(part)
                if blocks > 1:
                    _EVALUATED[part] = blocks - 1, training
                else:
                    part.training = training
