import numpy as np
import torch
from answering import right, wrong


@wrong("the largest singular value (the norm) instead of the largest eigenvalue")
def with_spectral_radius(weight, radius):
    return weight * radius / torch.linalg.matrix_norm(weight, 2)


@wrong("only the real parts of the eigenvalues are looked at")
def with_spectral_radius(weight, radius):
    return weight * radius / torch.linalg.eigvals(weight).real.abs().max()


@wrong("divides by the radius it has, and forgets to multiply by the wanted one")
def with_spectral_radius(weight, radius):
    return weight / torch.linalg.eigvals(weight).abs().max()


@wrong("multiplies by the wanted radius without dividing by the one it has")
def with_spectral_radius(weight, radius):
    return weight * radius


@wrong("the fraction upside down")
def with_spectral_radius(weight, radius):
    return weight * (torch.linalg.eigvals(weight).abs().max() / radius)


@wrong("the mean length of the eigenvalues, not the largest")
def with_spectral_radius(weight, radius):
    return weight * radius / torch.linalg.eigvals(weight).abs().mean()


@wrong("eigvalsh treats the matrix as symmetric")
def with_spectral_radius(weight, radius):
    return weight * radius / torch.linalg.eigvalsh(weight).abs().max()


@wrong("scales in place, so the caller's matrix changes")
def with_spectral_radius(weight, radius):
    weight *= radius / torch.linalg.eigvals(weight).abs().max()
    return weight


@wrong("the first eigenvalue that torch lists is taken for the largest")
def with_spectral_radius(weight, radius):
    return weight * radius / torch.linalg.eigvals(weight).abs()[0]


@wrong("only shrinks: a matrix whose radius is too small stays as it is")
def with_spectral_radius(weight, radius):
    own = float(torch.linalg.eigvals(weight).abs().max())
    return weight * min(1.0, radius / own)


@wrong("divides by the largest entry of the matrix")
def with_spectral_radius(weight, radius):
    return weight * radius / weight.abs().max()


@right
def with_spectral_radius(weight, radius):
    own = max(abs(value) for value in np.linalg.eigvals(weight.numpy()))
    return weight * float(radius / own)


@right
def with_spectral_radius(weight, radius):
    values, _ = torch.linalg.eig(weight)
    lengths = (values.real**2 + values.imag**2).sqrt()
    return weight / lengths.amax() * radius
