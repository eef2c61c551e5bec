"""Exercise 1.8: ``clip_by_norm``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from attnbook.checks.shared import Inputs, normal
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
    norm = _joint(call.result[0])
    if norm <= call.max_norm * (1 + 1e-4):
        return None
    return f"All together the result still has a norm of {norm:.3g}, above {call.max_norm:g}."


def _same_direction(call: Call) -> str | None:
    before, after = _flat(call.gradients), _flat(call.result[0])
    if float(before.norm()) == 0 or float(after.norm()) == 0:
        return None
    cosine = float(nn.functional.cosine_similarity(before, after, dim=0))
    if cosine > 1 - 1e-4:
        return None
    return f"The direction has changed (cosine {cosine:.3f}): one factor for all tensors keeps it."


def _untouched_below(call: Call) -> str | None:
    norm = _joint(call.gradients)
    above = 2 * norm + 1
    if torch.allclose(_flat(call(max_norm=above)[0]), _flat(call.gradients)):
        return None
    return f"A gradient of norm {norm:.3g} is changed with a threshold above it, {above:.3g}."


def _told_norm(call: Call) -> str | None:
    norm = _joint(call.gradients)
    if abs(float(call.result[1]) - norm) < 1e-4 * (1 + norm):
        return None
    return (
        f"The norm that is returned is {float(call.result[1]):.3g}; before clipping, of all "
        f"numbers together, it is {norm:.3g}."
    )


def _by(size: Any, told: Any = None) -> Callable[..., Clipped]:
    """Clips by another size than the joint norm, or tells another."""

    def clip(gradients: list[Tensor], max_norm: float) -> Clipped:
        norm = float(size(gradients))
        factor = max_norm / norm if norm > max_norm else 1.0
        return [gradient * factor for gradient in gradients], float((told or size)(gradients))

    return clip


def _scaled(factor: Callable[[float, float], Any]) -> Callable[..., Clipped]:
    """Another factor is made of the joint norm and the most that it may be."""

    def clip(gradients: list[Tensor], max_norm: float) -> Clipped:
        norm = _joint(gradients)
        by = factor(norm, max_norm)
        return [gradient * by for gradient in gradients], norm

    return clip


def _changed(change: Callable[[list[Tensor], float], Any]) -> Callable[..., Any]:
    """The right result, changed."""
    return lambda gradients, max_norm: change(*clip_by_norm(gradients, max_norm))


_SIZES: list[tuple[str, Callable[[list[Tensor]], Any]]] = [
    (
        "The root of the *mean* of the squares is taken: the norm is that of their sum.",
        lambda gs: _flat(gs).square().mean().sqrt(),
    ),
    (
        "The sizes of the numbers are added up. The norm is the root of the sum of their squares.",
        lambda gs: _flat(gs).abs().sum(),
    ),
    (
        "The size of the largest number is taken. The norm is the root of the sum of all squares.",
        lambda gs: _flat(gs).abs().max(),
    ),
    (
        "The largest of the tensors' norms is taken. The norm of all together is the root of the "
        "sum of their squares.",
        lambda gs: max(g.norm() for g in gs),
    ),
    (
        "The norms of the tensors are averaged. Add the squares of all numbers, then take one "
        "root.",
        lambda gs: sum(g.norm() for g in gs) / len(gs),
    ),
    ("Only the first tensor's norm is taken: all tensors count together.", lambda gs: gs[0].norm()),
    ("Only the last tensor's norm is taken: all tensors count together.", lambda gs: gs[-1].norm()),
    (
        "The norms of the tensors are added. Norms do not add: add the squares, then take one "
        "root.",
        lambda gs: sum(g.norm() for g in gs),
    ),
    (
        "The square root is missing: this compares the squared norm with the threshold.",
        lambda gs: _flat(gs).square().sum(),
    ),
    (
        "The numbers are added up, signs and all: they cancel. Add their squares, and take the "
        "root.",
        lambda gs: _flat(gs).sum(),
    ),
]

_ORDER = "The order is (gradients, norm): the two are exchanged."

CHECK = Exercise(
    "clip_by_norm",
    reference=clip_by_norm,
    inputs=_gradients,
    rules={
        "the joint norm is at most max_norm": _short,
        "the direction stays": _same_direction,
        "what is short enough stays as it is": _untouched_below,
        "the norm from before is returned": _told_norm,
    },
    gradients=(),  # gradients are clipped after the way back
    mistakes=[
        *((said, _by(size)) for said, size in _SIZES),
        *((said, _by(size, told=_joint)) for said, size in _SIZES),
        *(
            (
                "They are clipped rightly. The norm that is returned is another: " + said,
                _by(_joint, told=size),
            )
            for said, size in _SIZES
        ),
        (
            "The norm that is returned is the one after clipping: it could never warn you.",
            _changed(lambda clipped, norm: (clipped, _joint(clipped))),
        ),
        (_ORDER, _changed(lambda clipped, norm: (norm, clipped))),
        (_ORDER, _changed(lambda clipped, norm: (torch.tensor(norm), clipped))),
        (
            "One long vector comes back. Return a list of tensors, each in the shape that it had.",
            _changed(lambda clipped, norm: (_flat(clipped), norm)),
        ),
        (
            "The tensors come back flat. Each keeps the shape that it had.",
            _changed(lambda clipped, norm: ([g.flatten() for g in clipped], norm)),
        ),
        (
            "`max_norm` is not used: everything is clipped to a norm of 1.",
            lambda gradients, max_norm: clip_by_norm(gradients, 1.0),
        ),
        (
            "What is too long is made zero. It is shortened, to a norm of max_norm.",
            _scaled(lambda norm, most: norm <= most),
        ),
        (
            "Too long gradients are divided by their norm, whatever the threshold: multiply by "
            "max_norm, too.",
            _scaled(lambda norm, most: 1 / norm if norm > most else 1.0),
        ),
        (
            "The factor is upside down: it is max_norm divided by the norm.",
            _scaled(lambda norm, most: max(1.0, norm / most)),
        ),
        (
            "Gradients are divided by the threshold. The factor is max_norm divided by the norm.",
            _scaled(lambda norm, most: 1 / most if norm > most else 1.0),
        ),
        (
            "The threshold multiplies the gradients. The factor is max_norm divided by the norm.",
            _scaled(lambda norm, most: most if norm > most else 1.0),
        ),
        (
            "The norm of zeros is 0, and something is divided by it: a short gradient needs no "
            "factor at all.",
            _scaled(lambda norm, most: min(1.0, most / norm)),
        ),
        (
            "A short gradient is stretched to the threshold: the factor must not exceed 1.",
            _scaled(lambda norm, most: most / (norm or 1.0)),
        ),
        (
            "A gradient of zeros becomes NaN (0/0), and a short one is stretched: the factor must "
            "not exceed 1.",
            _scaled(lambda norm, most: most / torch.tensor(norm)),
        ),
        (
            "Nothing is clipped: the gradients come back as they were.",
            _scaled(lambda norm, most: 1.0),
        ),
        (
            "Each tensor is clipped by itself: short ones catch up with long ones, and the "
            "direction changes. Take one norm over all.",
            lambda gradients, max_norm: (
                [clip_by_norm([g], max_norm)[0][0] for g in gradients],
                _joint(gradients),
            ),
        ),
        (
            "Each number is clipped by itself: that changes the direction.",
            lambda gradients, max_norm: (
                [g.clamp(-max_norm, max_norm) for g in gradients],
                _joint(gradients),
            ),
        ),
    ],
)
