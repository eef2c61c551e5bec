"""Whether the gradients that come back through a learner's function are the reference's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from .spec import Function
from .values import copied, difference, tensors


def gradients_differ(
    learner: Function, reference: Function, given: Mapping[str, Any], names: Sequence[str]
) -> str | None:
    """A sentence on the first named argument to which another gradient comes back; None if none."""
    theirs, ours = (_gradients(function, given, names) for function in (learner, reference))
    for name, got, expected in zip(names, theirs, ours):
        if told := difference(got, expected, 1e-4):
            if not got.any():
                return (f"No gradient comes back to {name}: is there an .item(), .detach(), .data, "
                        "torch.tensor(…) or no_grad on the way?")  # fmt: skip
            head = f"The values are right, but not the gradient that comes back to {name}: "
            return f"{head}{told[0].lower()}{told[1:]} Is a part cut off, by .detach() or .data?"
    return None


def _gradients(function: Function, given: Mapping[str, Any], names: Sequence[str]) -> list[Tensor]:
    """Of a sum of all results, each number with a weight of its own, for the named arguments."""
    mine = copied(dict(given))
    leaves = [mine[name].requires_grad_() for name in names]
    total = torch.zeros(())
    with torch.enable_grad():
        for result in tensors(function(**mine)):
            if result.requires_grad:
                weights = torch.linspace(0.5, 1.5, result.numel(), dtype=result.dtype)
                total = total + (result * weights.to(result.device).view(result.shape)).sum()
    if not total.requires_grad:
        return [torch.zeros_like(leaf) for leaf in leaves]
    found = torch.autograd.grad(total, leaves, allow_unused=True)
    return [torch.zeros_like(x) if g is None else g for x, g in zip(leaves, found)]
