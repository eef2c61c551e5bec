"""Exercise 1.8: ``clip_by_norm``."""

from __future__ import annotations

import math
from collections.abc import Callable

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


def _joint(gradients: list[Tensor]) -> float:
    return math.sqrt(sum(float(g.square().sum()) for g in gradients))


def _clip(gradients: list[Tensor], max_norm: float) -> Clipped:
    return _by(_joint)(gradients, max_norm)


def _by(
    size: Callable[[list[Tensor]], float],
    told: Callable[[list[Tensor]], float] | None = None,
    goal: float | None = None,
) -> Callable[..., Clipped]:
    """Clips by one factor, made of another size than the joint norm, or tells another."""

    def clip(gradients: list[Tensor], max_norm: float) -> Clipped:
        largest, norm = max_norm if goal is None else goal, size(gradients)
        factor = largest / norm if norm > largest else 1.0
        return [gradient * factor for gradient in gradients], (told or size)(gradients)

    return clip


def _flat(gradients: list[Tensor]) -> Tensor:
    return torch.cat([gradient.flatten() for gradient in gradients])


_ROOT = "The root of the *mean* of the squares is taken: the norm is that of their sum."
_ABSOLUTE = (
    "The sizes of the numbers are added up. The norm is the root of the sum of their squares."
)
_LARGEST = (
    "The size of the largest number is taken. The norm is the root of the sum of all squares."
)
_LONGEST = (
    "The largest of the tensors' norms is taken. The norm of all together is the root of the sum "
    "of their squares."
)
_SIZES: list[tuple[str, Callable[[list[Tensor]], float]]] = [
    (_ROOT, lambda gs: float(_flat(gs).square().mean().sqrt())),
    (_ABSOLUTE, lambda gs: float(_flat(gs).abs().sum())),
    (_LARGEST, lambda gs: float(_flat(gs).abs().max())),
    (_LONGEST, lambda gs: max(float(g.norm()) for g in gs)),
    (
        "The norms of the tensors are averaged. Add the squares of all numbers, then take one "
        "root.",
        lambda gs: sum(float(g.norm()) for g in gs) / len(gs),
    ),
    (
        "Only the first tensor's norm is taken: all tensors count together.",
        lambda gs: float(gs[0].norm()),
    ),
    (
        "Only the last tensor's norm is taken: all tensors count together.",
        lambda gs: float(gs[-1].norm()),
    ),
    (
        "The norms of the tensors are added. Norms do not add: add the squares, then take one "
        "root.",
        lambda gs: sum(float(g.norm()) for g in gs),
    ),
    (
        "The square root is missing: this compares the squared norm with the threshold.",
        lambda gs: _joint(gs) ** 2,
    ),
    (
        "The numbers are added up, signs and all: they cancel. Add their squares, and take the "
        "root.",
        lambda gs: float(_flat(gs).sum()),
    ),
]


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


def _no_zeros(gradients: list[Tensor], max_norm: float) -> Clipped:
    norm = _joint(gradients)
    factor = min(1.0, max_norm / norm)
    return [gradient * factor for gradient in gradients], norm


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
            "`max_norm` is not used: everything is clipped to a norm of 1.",
            _by(_joint, goal=1.0),
        ),
        *(
            ("The order is (gradients, norm): the two are exchanged.", function)
            for function in (
                lambda gradients, max_norm: _clip(gradients, max_norm)[::-1],
                lambda gradients, max_norm: (
                    torch.tensor(_joint(gradients)),
                    _clip(gradients, max_norm)[0],
                ),
            )
        ),
        (
            "One long vector comes back. Return a list of tensors, each in the shape that it had.",
            lambda gradients, max_norm: (_flat(_clip(gradients, max_norm)[0]), _joint(gradients)),
        ),
        (
            "The tensors come back flat. Each keeps the shape that it had.",
            lambda gradients, max_norm: (
                [g.flatten() for g in _clip(gradients, max_norm)[0]],
                _joint(gradients),
            ),
        ),
        (
            "What is too long is made zero. It is shortened, to a norm of max_norm.",
            lambda gradients, max_norm: (
                [g * (_joint(gradients) <= max_norm) for g in gradients],
                _joint(gradients),
            ),
        ),
        (
            "Too long gradients are divided by their norm, whatever the threshold: multiply by "
            "max_norm, too.",
            lambda gradients, max_norm: (
                [g / _joint(gradients) if _joint(gradients) > max_norm else g for g in gradients],
                _joint(gradients),
            ),
        ),
        (
            "The factor is upside down: it is max_norm divided by the norm.",
            lambda gradients, max_norm: (
                [g * max(1.0, _joint(gradients) / max_norm) for g in gradients],
                _joint(gradients),
            ),
        ),
        (
            "Gradients are divided by the threshold. The factor is max_norm divided by the norm.",
            lambda gradients, max_norm: (
                [g / max_norm if _joint(gradients) > max_norm else g for g in gradients],
                _joint(gradients),
            ),
        ),
        (
            "The threshold multiplies the gradients. The factor is max_norm divided by the norm.",
            lambda gradients, max_norm: (
                [g * max_norm if _joint(gradients) > max_norm else g for g in gradients],
                _joint(gradients),
            ),
        ),
        (
            "The norm of zeros is 0, and something is divided by it: a short gradient needs no "
            "factor at all.",
            _no_zeros,
        ),
        (
            "Each tensor is clipped by itself: short ones catch up with long ones, and the "
            "direction changes. Take one norm over all.",
            lambda gradients, max_norm: (
                [_clip([g], max_norm)[0][0] for g in gradients],
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
        (
            "The norm that is returned is the one after clipping: it could never warn you.",
            lambda gradients, max_norm: (
                _clip(gradients, max_norm)[0],
                _joint(_clip(gradients, max_norm)[0]),
            ),
        ),
        (
            "A short gradient is stretched to the threshold: the factor must not exceed 1.",
            lambda gradients, max_norm: (
                [g * (max_norm / (_joint(gradients) or 1.0)) for g in gradients],
                _joint(gradients),
            ),
        ),
        (
            "A gradient of zeros becomes NaN (0/0), and a short one is stretched: the factor must "
            "not exceed 1.",
            lambda gradients, max_norm: (
                [g * (max_norm / torch.tensor(_joint(gradients))) for g in gradients],
                _joint(gradients),
            ),
        ),
        (
            "Nothing is clipped: the gradients come back as they were.",
            lambda gradients, max_norm: (list(gradients), _joint(gradients)),
        ),
    ],
)
