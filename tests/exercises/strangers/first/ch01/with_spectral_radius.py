"""Answers to exercise ``with_spectral_radius``, written from its statement alone."""

import math

import torch
from answering import right, wrong


@wrong("the largest real part, not the largest distance from 0")
def with_spectral_radius(weight, radius):
    return weight * radius / torch.linalg.eigvals(weight).real.max()


@wrong("the size of the real parts: what is imaginary is dropped")
def with_spectral_radius(weight, radius):
    return weight * radius / torch.linalg.eigvals(weight).real.abs().max()


@wrong("the largest singular value")
def with_spectral_radius(weight, radius):
    return weight * radius / torch.linalg.matrix_norm(weight, 2)


@wrong("the Frobenius norm")
def with_spectral_radius(weight, radius):
    return weight / weight.norm() * radius


@wrong("the fraction upside down")
def with_spectral_radius(weight, radius):
    return weight * torch.linalg.eigvals(weight).abs().max() / radius


@wrong("multiplies without dividing by the radius it has")
def with_spectral_radius(weight, radius):
    return weight * radius


@wrong("treats the matrix as symmetric")
def with_spectral_radius(weight, radius):
    return weight * radius / torch.linalg.eigvalsh(weight).abs().max()


@wrong("takes the first eigenvalue for the largest")
def with_spectral_radius(weight, radius):
    return weight * radius / torch.linalg.eigvals(weight)[0].abs()


@wrong("only ever makes it smaller")
def with_spectral_radius(weight, radius):
    now = torch.linalg.eigvals(weight).abs().max()
    if now <= radius:
        return weight
    return weight * radius / now


@wrong("scales the matrix of the caller")
def with_spectral_radius(weight, radius):
    now = torch.linalg.eigvals(weight).abs().max()
    weight *= radius / now
    return weight


@wrong("divides by the mean of the eigenvalues' sizes")
def with_spectral_radius(weight, radius):
    return weight * radius / torch.linalg.eigvals(weight).abs().mean()


@wrong("by circular law: right on average only")
def with_spectral_radius(weight, radius):
    return weight * radius / (weight.std() * len(weight) ** 0.5)


@wrong("power iteration with a real vector does not settle on a pair of complex eigenvalues")
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
