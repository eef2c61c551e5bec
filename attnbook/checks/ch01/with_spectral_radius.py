"""Exercise 1.6: ``with_spectral_radius``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise


def with_spectral_radius(weight: Any, radius: Any) -> Any:
    """The matrix weight (H, H), scaled so that its largest |eigenvalue| is `radius`."""
    return weight * (radius / torch.linalg.eigvals(weight).abs().max())


def _matrices() -> Inputs:
    yield {"weight": torch.tensor([[2.0, 0.0], [0.0, -4.0]]), "radius": 1.0}
    yield {"weight": torch.tensor([[0.0, -2.0], [2.0, 0.0]]), "radius": 0.5}  # a rotation, twice
    yield {"weight": torch.tensor([[1.0, 9.0], [0.0, 3.0]]), "radius": 1.5}
    yield {"weight": torch.tensor([[0.5, 0.0], [0.0, 0.25]]), "radius": 2.0}
    yield {"weight": torch.tensor([[1.0, -4.0], [1.0, 1.0]]), "radius": 1.0}  # 1 ± 2i
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


def _scaled(call: Call) -> str | None:
    """The result is the matrix, times one positive number."""
    factor = call.expected.norm() / call.weight.norm()
    if torch.allclose(call.result, factor * call.weight, rtol=1e-4, atol=1e-5):
        return None
    return (
        "The radius is right, but the result is not the matrix times one positive number: "
        f"{float(factor):.4g} times {float(call.weight[0, 0]):.4g} at [0, 0] is "
        f"{float(factor * call.weight[0, 0]):.4g}; there stands {float(call.result[0, 0]):.4g}."
    )


def _by(size: Callable[[Tensor], Any]) -> Callable[..., Tensor]:
    """Divides by another size of the matrix than its radius."""
    return lambda weight, radius: weight * (radius / size(weight))


def _by_eigenvalues(size: Callable[[Tensor], Any]) -> Callable[..., Tensor]:
    return _by(lambda weight: size(torch.linalg.eigvals(weight)))


def _again(steps: int) -> Callable[..., Tensor]:
    """The size that a vector grows by after so many products."""

    def growth(weight: Tensor) -> Tensor:
        vector = torch.ones(len(weight))
        for _ in range(steps):
            vector = (weight @ vector) / (weight @ vector).norm().clamp_min(1e-30)
        return (weight @ vector).norm()

    return _by(growth)


_SYMMETRIC = (
    "The matrix is treated as symmetric (eigvalsh, eigh): only one half of it is read. Take "
    "torch.linalg.eigvals."
)
_ROWS = "This divides by a sum over rows or columns. What counts are the eigenvalues."
_REPEATED = (
    "Multiplying a vector again and again does not settle where the largest eigenvalues are a pair "
    "of complex numbers. Take torch.linalg.eigvals."
)

CHECK = Exercise(
    "with_spectral_radius",
    reference=with_spectral_radius,
    inputs=_matrices,
    rules={
        "the largest |eigenvalue| of the result is `radius`": _has_the_radius,
        "the result is the matrix, times one number": _scaled,
    },
    gradients=(),  # where a training begins; nothing goes back through that
    mistakes=[
        (
            "This is the largest singular value: how far one product can stretch. For many "
            "products the eigenvalues count.",
            _by(lambda weight: torch.linalg.matrix_norm(weight, 2)),
        ),
        (
            "The largest real part is taken. An eigenvalue may lie far from 0 on the negative side "
            "or off the real line: take .abs() of the complex numbers.",
            _by_eigenvalues(lambda values: values.real.max()),
        ),
        (
            "Only the real parts are looked at: a rotation's eigenvalues have none. Take .abs() "
            "of the complex numbers themselves.",
            _by_eigenvalues(lambda values: values.real.abs().max()),
        ),
        (
            "Every matrix is multiplied by `radius`: first divide by the radius that it has.",
            lambda weight, radius: weight * radius,
        ),
        (
            "The matrix is scaled to radius 1: `radius` is not used.",
            lambda weight, radius: with_spectral_radius(weight, 1.0),
        ),
        (
            "This divides by the norm of all numbers together. What counts are the eigenvalues.",
            _by(torch.norm),
        ),
        (
            "This divides by the largest entry. What counts are the eigenvalues.",
            _by(lambda weight: weight.abs().max()),
        ),
        (
            "This is the wrong way up: multiply by the radius that is wanted, divide by the one "
            "that is there.",
            lambda weight, radius: weight * (_radius(weight) / radius),
        ),
        (
            "A radius that is below the wanted one is left as it is. The matrix is to be made "
            "larger, too.",
            lambda weight, radius: weight * min(1.0, radius / _radius(weight)),
        ),
        (
            "A radius that is above the wanted one is left as it is. The matrix is to be made "
            "smaller, too.",
            lambda weight, radius: weight * max(1.0, radius / _radius(weight)),
        ),
        (_SYMMETRIC, _by(lambda weight: torch.linalg.eigvalsh(weight, UPLO="L").abs().max())),
        (_SYMMETRIC, _by(lambda weight: torch.linalg.eigvalsh(weight, UPLO="U").abs().max())),
        (
            "The first eigenvalue is taken. They come in no order: take the largest .abs().",
            _by_eigenvalues(lambda values: values[0].abs()),
        ),
        (
            "The last eigenvalue is taken. They come in no order: take the largest .abs().",
            _by_eigenvalues(lambda v: v[-1].abs()),
        ),
        (
            "The smallest |eigenvalue| is taken. The radius is the largest.",
            _by_eigenvalues(lambda v: v.abs().min()),
        ),
        (
            "The sizes of the eigenvalues are averaged. The radius is the largest of them.",
            _by_eigenvalues(lambda values: values.abs().mean()),
        ),
        (
            "The sizes of the eigenvalues are added up. The radius is the largest of them.",
            _by_eigenvalues(lambda v: v.abs().sum()),
        ),
        (
            "The largest eigenvalue is squared: the radius is its size, not its square.",
            _by_eigenvalues(lambda v: v.abs().max() ** 2),
        ),
        (_ROWS, _by(lambda weight: torch.linalg.matrix_norm(weight, 1))),
        (_ROWS, _by(lambda weight: torch.linalg.matrix_norm(weight, float("inf")))),
        *((_REPEATED, _again(steps)) for steps in (20, 50, 100)),
    ],
)
