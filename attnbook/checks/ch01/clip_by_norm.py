"""Exercise 1.8: ``clip_by_norm``."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _gradients() -> Inputs:
    yield {"gradients": [torch.tensor([3.0, 4.0])], "max_norm": 1.0}
    yield {"gradients": [torch.tensor([3.0]), torch.tensor([4.0])], "max_norm": 1.0}
    yield {"gradients": [torch.tensor([0.3]), torch.tensor([-0.4])], "max_norm": 2.0}
    yield {"gradients": [torch.zeros(2), torch.zeros(1)], "max_norm": 1.0}
    make = normal(13)
    yield {"gradients": [make(2, 3), 9 * make(3), make(1, 2, 2)], "max_norm": 0.5}
    yield {"gradients": [0.01 * make(2, 2), 3 * make(4)], "max_norm": 2.0}


Clipped = tuple[list[Tensor], float]


def _joint(gradients: list[Tensor]) -> float:
    return math.sqrt(sum(float(g.square().sum()) for g in gradients))


def _clip(gradients: list[Tensor], max_norm: float) -> Clipped:
    norm = _joint(gradients)
    factor = max_norm / norm if norm > max_norm else 1.0
    return [gradient * factor for gradient in gradients], norm


def _short(call: Call) -> str | None:
    norm = _joint(call.result[0])
    if norm <= call.max_norm * (1 + 1e-4):
        return None
    return f"All together the result still has a norm of {norm:.3g}, above {call.max_norm:g}."


def _same_direction(call: Call) -> str | None:
    before = torch.cat([g.flatten() for g in call.gradients])
    after = torch.cat([g.flatten() for g in call.result[0]])
    if float(before.norm()) == 0 or float(after.norm()) == 0:
        return None
    cosine = float(nn.functional.cosine_similarity(before, after, dim=0))
    if cosine > 1 - 1e-4:
        return None
    return f"The direction has changed (cosine {cosine:.3f}): one factor for all tensors keeps it."


def _untouched_below(call: Call) -> str | None:
    norm = _joint(call.gradients)
    longer = call(max_norm=2 * norm + 1)[0]
    if all(torch.allclose(a, b) for a, b in zip(longer, call.gradients)):
        return None
    return (
        f"A gradient of norm {norm:.3g} is changed with a threshold above it, {2 * norm + 1:.3g}."
    )


def _told_norm(call: Call) -> str | None:
    if abs(float(call.result[1]) - _joint(call.gradients)) < 1e-4 * (1 + _joint(call.gradients)):
        return None
    return (
        f"The norm that is returned is {float(call.result[1]):.3g}; before clipping, of all "
        f"numbers together, it is {_joint(call.gradients):.3g}."
    )


CHECK = Exercise(
    "clip_by_norm",
    reference=_clip,
    inputs=_gradients,
    rules={
        "the joint norm is at most max_norm": _short,
        "the direction stays": _same_direction,
        "what is short enough stays as it is": _untouched_below,
        "the norm from before is returned": _told_norm,
    },
    mistakes=[
        Mistake(
            "Each tensor is clipped by itself: short ones catch up with long ones, and the "
            "direction changes. Take one norm over all.",
            lambda gradients, max_norm: (
                [_clip([g], max_norm)[0][0] for g in gradients],
                _joint(gradients),
            ),
        ),
        Mistake(
            "Each number is clipped by itself: that changes the direction.",
            lambda gradients, max_norm: (
                [g.clamp(-max_norm, max_norm) for g in gradients],
                _joint(gradients),
            ),
        ),
        Mistake(
            "The norm that is returned is the one after clipping: it could never warn you.",
            lambda gradients, max_norm: (
                _clip(gradients, max_norm)[0],
                _joint(_clip(gradients, max_norm)[0]),
            ),
        ),
        Mistake(
            "A short gradient is stretched to the threshold: the factor must not exceed 1.",
            lambda gradients, max_norm: (
                [g * (max_norm / (_joint(gradients) or 1.0)) for g in gradients],
                _joint(gradients),
            ),
        ),
        Mistake(
            "A gradient of zeros becomes NaN (0/0), and a short one is stretched: the factor must "
            "not exceed 1.",
            lambda gradients, max_norm: (
                [g * (max_norm / torch.tensor(_joint(gradients))) for g in gradients],
                _joint(gradients),
            ),
        ),
        Mistake(
            "The norms of the tensors are added. Norms do not add: add the squares, then take one "
            "root.",
            lambda gradients, max_norm: (
                lambda total: ([g * min(1.0, max_norm / (total or 1.0)) for g in gradients], total)
            )(sum(float(g.norm()) for g in gradients)),
        ),
        Mistake(
            "The square root is missing: this compares the squared norm with the threshold.",
            lambda gradients, max_norm: (
                lambda total: ([g * min(1.0, max_norm / (total or 1.0)) for g in gradients], total)
            )(_joint(gradients) ** 2),
        ),
        Mistake(
            "Nothing is clipped: the gradients come back as they were.",
            lambda gradients, max_norm: (list(gradients), _joint(gradients)),
        ),
    ],
)
