"""What checks of chapter 4 share."""

from __future__ import annotations

from torch import Tensor


def listed(x: Tensor) -> str:
    """Numbers of a tensor, in one row, for a sentence."""
    return str([float(f"{number:.3g}") for number in x.flatten().tolist()])
