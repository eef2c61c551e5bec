"""What checks of chapter 4 share."""

from __future__ import annotations

from torch import Tensor


def listed(x: Tensor) -> str:
    return str([round(number, 2) for number in x.flatten().tolist()])
