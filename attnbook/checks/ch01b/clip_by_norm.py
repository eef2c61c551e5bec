"""Exercise 1.7: ``clip_by_norm``."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, normal
from attnbook.exercises import Call, Exercise, Function

Clipped = tuple[list[Tensor], float]


def clip_by_norm(gradients: list[Tensor], max_norm: float) -> Clipped:
    """(gradients scaled to a joint norm of at most max_norm, their joint norm before)."""
    norm = math.sqrt(sum(float(gradient.square().sum()) for gradient in gradients))
    factor = max_norm / norm if norm > max_norm else 1.0
    return [gradient * factor for gradient in gradients], norm


def _gradients() -> Inputs:
    make = normal(13)
    for max_norm, gradients in (
        (1.0, [torch.tensor([3.0, 4.0])]),
        (1.0, [torch.tensor([3.0]), torch.tensor([4.0])]),
        (2.0, [torch.tensor([0.3]), torch.tensor([-0.4])]),
        (2.0, [torch.tensor([0.9]), torch.tensor([1.2])]),
        (1.0, [torch.zeros(2), torch.zeros(1)]),
        (2.0, [torch.tensor([1.0, -2.0]), torch.tensor([2.0])]),
        (0.5, [make(2, 3), 9 * make(3), make(1, 2, 2)]),
        (2.0, [0.01 * make(2, 2), 3 * make(4)]),
    ):
        yield {"gradients": gradients, "max_norm": max_norm}


def _joint(gradients: list[Tensor]) -> float:
    return clip_by_norm(gradients, math.inf)[1]


def _short(call: Call) -> str | None:
    norm, before = _joint(call.result[0]), _joint(call.gradients)
    right = min(before, call.max_norm)
    if abs(norm - right) <= 1e-4 * right:
        return None
    if before > call.max_norm and norm > right:
        return (
            f"All together, the gradients still have a norm of {norm:.3g}, above {call.max_norm:g}."
        )
    return (
        f"You return a gradient of norm {before:.3g} with a norm of {norm:.3g}. With max_norm = "
        f"{call.max_norm:g} it should be {right:.3g}: a gradient that is short enough stays as it "
        "is, and no gradient is shortened more than needed."
    )


def _norm_before(call: Call) -> bool | str:
    norm = _joint(call.gradients)
    return abs(float(call.result[1]) - norm) < 1e-4 * (1 + norm) or (
        f"The norm that is returned is {float(call.result[1]):.3g}; before clipping, of all "
        f"numbers together, it is {norm:.3g}."
    )


def _by(size: Callable[[list[Tensor]], Any]) -> Function:
    """Clips by another size than the joint norm, and returns that."""

    def clip(gradients: list[Tensor], max_norm: float) -> Clipped:
        norm = float(size(gradients))
        factor = max_norm / norm if norm > max_norm else 1.0
        return [gradient * factor for gradient in gradients], norm

    return clip


def _clipping(clip: Callable[[list[Tensor], float], list[Tensor]]) -> Function:
    """Clips in another way, and returns the right norm."""
    return lambda gradients, max_norm: (clip(gradients, max_norm), _joint(gradients))


CHECK = Exercise(
    clip_by_norm,
    inputs=_gradients,
    rules={
        "the joint norm is at most max_norm, and unchanged where it is shorter": _short,
        "the norm before clipping is returned": _norm_before,
    },
    gradients=(),  # gradients are clipped after the way back
    mistakes={
        "You add the norms of the tensors, but norms do not add. Add the squares, then take one "
        "root.": _by(lambda gradients: sum(gradient.norm() for gradient in gradients)),
        "The square root is missing: this compares the squared norm with the threshold.": (
            _by(lambda gradients: _joint(gradients) ** 2)
        ),
        "Each tensor is clipped separately, so short ones catch up with long ones and the "
        "direction changes. Take one norm over all.": (
            _clipping(lambda gradients, most: [clip_by_norm([x], most)[0][0] for x in gradients])
        ),
        "Each number is clipped separately, which changes the direction.": (
            _clipping(lambda gradients, most: [x.clamp(-most, most) for x in gradients])
        ),
    },
)
