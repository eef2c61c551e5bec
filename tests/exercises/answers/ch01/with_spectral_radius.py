"""Answers to exercise ``with_spectral_radius``, as learners write them."""

import math

import torch
from answering import right, wrong


@wrong("This is the largest singular value")
def with_spectral_radius(weight, radius):
    return weight * radius / torch.linalg.svdvals(weight).max()


@wrong("The largest real part is taken")
def with_spectral_radius(weight, radius):
    eigenvalues = torch.linalg.eigvals(weight)
    return weight / eigenvalues.real.max() * radius


@wrong("Only the real parts are looked at")
def with_spectral_radius(weight, radius):
    rho = torch.linalg.eigvals(weight).real.abs().max()
    return weight * (radius / rho)


@wrong("first divide by the radius")
def with_spectral_radius(weight, radius):
    return radius * weight


@wrong("scaled to radius 1")
def with_spectral_radius(weight, radius):
    return weight / torch.linalg.eigvals(weight).abs().max()


@wrong("the norm of all numbers together")
def with_spectral_radius(weight, radius):
    return radius * weight / torch.norm(weight)


@wrong("the wrong way up")
def with_spectral_radius(weight, radius):
    return weight * torch.linalg.eigvals(weight).abs().max() / radius


@wrong("The matrix is treated as symmetric (eigvalsh, eigh):")
def with_spectral_radius(weight, radius):
    return weight * radius / torch.linalg.eigvalsh(weight).abs().max()


@wrong("The first eigenvalue is taken.")
def with_spectral_radius(weight, radius):
    return weight * radius / torch.linalg.eigvals(weight)[0].abs()


@wrong("A radius that is below the wanted one is left as it is.")
def with_spectral_radius(weight, radius):
    now = torch.linalg.eigvals(weight).abs().max()
    if now <= radius:
        return weight
    return weight * radius / now


@wrong("The argument weight was changed by the call.")
def with_spectral_radius(weight, radius):
    now = torch.linalg.eigvals(weight).abs().max()
    weight *= radius / now
    return weight


@wrong("The sizes of the eigenvalues are averaged.")
def with_spectral_radius(weight, radius):
    return weight * radius / torch.linalg.eigvals(weight).abs().mean()


@wrong("The result has a spectral radius of 1.124, not 1.")
def with_spectral_radius(weight, radius):
    return weight * radius / (weight.std() * len(weight) ** 0.5)


@wrong("The result has a spectral radius of 1.434, not 1.")
def with_spectral_radius(weight, radius):
    x = torch.ones(len(weight), dtype=weight.dtype)
    for _ in range(100):
        x = weight @ x
        size = x.norm()
        x = x / size
    return weight * radius / size


@right
def with_spectral_radius(weight, radius):
    largest = 0.0
    for value in torch.linalg.eigvals(weight.double()).tolist():
        largest = max(largest, math.hypot(value.real, value.imag))
    return weight * (radius / largest)


@right
def with_spectral_radius(weight, radius):
    values, _ = torch.linalg.eig(weight)
    size = (values.real**2 + values.imag**2).max().sqrt()
    return torch.mul(torch.div(weight, size), radius)
