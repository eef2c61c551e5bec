"""Exercise 1.6: ``with_spectral_radius``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _matrices() -> Inputs:
    yield {"weight": torch.tensor([[2.0, 0.0], [0.0, -4.0]]), "radius": 1.0}
    yield {"weight": torch.tensor([[0.0, -2.0], [2.0, 0.0]]), "radius": 0.5}  # a rotation, twice
    yield {"weight": torch.tensor([[1.0, 9.0], [0.0, 3.0]]), "radius": 1.5}
    make = normal(8)
    yield {"weight": make(5, 5), "radius": 0.9}
    yield {"weight": make(8, 8), "radius": 1.1}


def _radius(matrix: Tensor) -> float:
    return float(torch.linalg.eigvals(matrix).abs().max())


def _has_the_radius(call: Call) -> str | None:
    reached = _radius(call.result)
    if abs(reached - call.radius) < 1e-4:
        return None
    return f"The result has a spectral radius of {reached:.3f}, not {call.radius:g}."


def _scaled_by(size: Callable[[Tensor], Any]) -> Callable[..., Tensor]:
    return lambda weight, radius: weight * (radius / size(weight))


CHECK = Exercise(
    "with_spectral_radius",
    reference=_scaled_by(_radius),
    inputs=_matrices,
    rules={"the largest |eigenvalue| of the result is `radius`": _has_the_radius},
    mistakes=[
        Mistake(
            "This is the largest singular value: how far one product can stretch. For many "
            "products the eigenvalues count.",
            _scaled_by(lambda w: torch.linalg.matrix_norm(w, 2)),
        ),
        Mistake(
            "The largest real part is taken. An eigenvalue may lie far from 0 on the negative side "
            "or off the real line: take .abs() of the complex numbers.",
            _scaled_by(lambda w: torch.linalg.eigvals(w).real.max()),
        ),
        Mistake(
            "Only the real parts are looked at: a rotation's eigenvalues have none. Take .abs() "
            "of the complex numbers themselves.",
            _scaled_by(lambda w: torch.linalg.eigvals(w).real.abs().max()),
        ),
        Mistake(
            "Every matrix is multiplied by `radius`: first divide by the radius that it has.",
            lambda weight, radius: weight * radius,
        ),
        Mistake(
            "The matrix is scaled to radius 1: `radius` is not used.",
            lambda weight, radius: weight / _radius(weight),
        ),
        Mistake(
            "This divides by the norm of all numbers together. What counts are the eigenvalues.",
            _scaled_by(lambda w: w.norm()),
        ),
        Mistake(
            "This divides by the largest entry. What counts are the eigenvalues.",
            _scaled_by(lambda w: w.abs().max()),
        ),
        Mistake(
            "This is the wrong way up: multiply by the radius that is wanted, divide by the one "
            "that is there.",
            lambda weight, radius: weight * (_radius(weight) / radius),
        ),
    ],
)
