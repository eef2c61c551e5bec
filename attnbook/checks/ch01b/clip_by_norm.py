"""Exercise 1.8: ``clip_by_norm``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, normal
from attnbook.exercises import Call, Exercise


def clip_by_norm(gradients: list[Tensor], max_norm: float) -> Clipped:
    """(gradients scaled to a joint norm of at most max_norm, their joint norm before)."""
    norm = math.sqrt(sum(float(gradient.square().sum()) for gradient in gradients))
    factor = max_norm / norm if norm > max_norm else 1.0
    return [gradient * factor for gradient in gradients], norm


def _gradients() -> Inputs:
    yield {"gradients": [torch.tensor([3.0, 4.0])], "max_norm": 1.0}
    yield {"gradients": [torch.tensor([3.0]), torch.tensor([4.0])], "max_norm": 1.0}
    yield {"gradients": [torch.tensor([0.3]), torch.tensor([-0.4])], "max_norm": 2.0}
    yield {"gradients": [torch.tensor([0.9]), torch.tensor([1.2])], "max_norm": 2.0}
    yield {"gradients": [torch.zeros(2), torch.zeros(1)], "max_norm": 1.0}
    make = normal(13)
    yield {"gradients": [torch.tensor([1.0, -2.0]), torch.tensor([2.0])], "max_norm": 2.0}
    yield {"gradients": [make(2, 3), 9 * make(3), make(1, 2, 2)], "max_norm": 0.5}
    yield {"gradients": [0.01 * make(2, 2), 3 * make(4)], "max_norm": 2.0}


Clipped = tuple[list[Tensor], float]


def _flat(gradients: list[Tensor]) -> Tensor:
    return torch.cat([gradient.flatten() for gradient in gradients])


def _joint(gradients: list[Tensor]) -> float:
    return float(_flat(gradients).norm())


def _short(call: Call) -> str | None:
    norm, before = _joint(call.result[0]), _joint(call.gradients)
    right = min(before, call.max_norm)
    if abs(norm - right) <= 1e-4 * right:
        return None
    if before > call.max_norm and norm > right:
        return f"All together the result still has a norm of {norm:.3g}, above {call.max_norm:g}."
    return (
        f"A gradient of norm {before:.3g} comes back with a norm of {norm:.3g}. With max_norm = "
        f"{call.max_norm:g} it should be {right:.3g}: what is short enough stays as it is, and "
        "nothing is shortened by more than is needed."
    )


def _norm_before(call: Call) -> str | None:
    norm = _joint(call.gradients)
    if abs(float(call.result[1]) - norm) < 1e-4 * (1 + norm):
        return None
    return (
        f"The norm that is returned is {float(call.result[1]):.3g}; before clipping, of all "
        f"numbers together, it is {norm:.3g}."
    )


def _by(size: Callable[[list[Tensor]], Any]) -> Callable[..., Clipped]:
    """Clips by another size than the joint norm, and returns that."""

    def clip(gradients: list[Tensor], max_norm: float) -> Clipped:
        norm = float(size(gradients))
        factor = max_norm / norm if norm > max_norm else 1.0
        return [gradient * factor for gradient in gradients], norm

    return clip


def _each(clip: Callable[[Tensor, float], Tensor]) -> Callable[..., Clipped]:
    """Clips every tensor by itself."""
    return lambda gradients, max_norm: (
        [clip(gradient, max_norm) for gradient in gradients],
        _joint(gradients),
    )


def _then_measured(gradients: list[Tensor], max_norm: float) -> Clipped:
    clipped, _ = clip_by_norm(gradients, max_norm)
    return clipped, _joint(clipped)


def _stretched(gradients: list[Tensor], max_norm: float) -> Clipped:
    norm = _joint(gradients)
    return [gradient * (max_norm / (norm or 1.0)) for gradient in gradients], norm


CHECK = Exercise(
    "clip_by_norm",
    reference=clip_by_norm,
    inputs=_gradients,
    rules={
        "the joint norm is at most max_norm, and that of before where it is shorter": _short,
        "the norm from before is returned": _norm_before,
    },
    gradients=(),  # gradients are clipped after the way back
    mistakes=[
        (
            "The norms of the tensors are added. Norms do not add: add the squares, then take one "
            "root.",
            _by(lambda gradients: sum(gradient.norm() for gradient in gradients)),
        ),
        (
            "The square root is missing: this compares the squared norm with the threshold.",
            _by(lambda gradients: _flat(gradients).square().sum()),
        ),
        (
            "The norm that is returned is the one after clipping: it could never warn you.",
            _then_measured,
        ),
        (
            "A short gradient is stretched to the threshold: the factor must not exceed 1.",
            _stretched,
        ),
        (
            "Each tensor is clipped by itself: short ones catch up with long ones, and the "
            "direction changes. Take one norm over all.",
            _each(lambda gradient, most: clip_by_norm([gradient], most)[0][0]),
        ),
        (
            "Each number is clipped by itself: that changes the direction.",
            _each(lambda gradient, most: gradient.clamp(-most, most)),
        ),
    ],
)
