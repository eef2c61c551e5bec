"""Answers to exercise ``with_spectral_radius``, as learners write them."""

import torch
from answering import wrong


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
