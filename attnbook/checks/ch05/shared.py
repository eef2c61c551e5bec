"""What checks of chapter 5 share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor


def cat(*parts: Tensor) -> Tensor:
    return torch.cat(parts, dim=-1)


Decoder = Callable[..., Any]
