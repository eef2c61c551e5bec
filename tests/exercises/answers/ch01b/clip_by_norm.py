"""Answers to exercise ``clip_by_norm``, as learners write them."""

import math

import torch
from answering import right, wrong


@wrong("Each tensor is clipped by itself")
def clip_by_norm(gradients, max_norm):
    clipped, total = [], 0.0
    for g in gradients:
        n = g.norm().item()
        total += n**2
        clipped.append(g * (max_norm / n) if n > max_norm else g)
    return clipped, total**0.5


@wrong("Each number is clipped by itself")
def clip_by_norm(gradients, max_norm):
    norm = torch.cat([g.flatten() for g in gradients]).norm().item()
    return [torch.clamp(g, min=-max_norm, max=max_norm) for g in gradients], norm


@wrong("the one after clipping")
def clip_by_norm(gradients, max_norm):
    norm = torch.cat([g.flatten() for g in gradients]).norm().item()
    factor = min(1.0, max_norm / norm) if norm else 1.0
    clipped = [g * factor for g in gradients]
    return clipped, torch.cat([g.flatten() for g in clipped]).norm().item()


@wrong("stretched to the threshold")
def clip_by_norm(gradients, max_norm):
    norm = torch.cat([g.flatten() for g in gradients]).norm().item()
    return [g / norm * max_norm if norm else g for g in gradients], norm


@wrong("the factor must not exceed 1")
def clip_by_norm(gradients, max_norm):
    norm = torch.cat([g.flatten() for g in gradients]).norm()
    return [g * (max_norm / norm) for g in gradients], float(norm)


@wrong("Norms do not add")
def clip_by_norm(gradients, max_norm):
    norm = sum(g.norm().item() for g in gradients)
    scale = max_norm / norm if norm > max_norm else 1.0
    return [g * scale for g in gradients], norm


@wrong("The square root is missing")
def clip_by_norm(gradients, max_norm):
    norm = sum((g**2).sum().item() for g in gradients)
    scale = max_norm / norm if norm > max_norm else 1.0
    return [g * scale for g in gradients], norm


@wrong("The argument gradients was changed")
def clip_by_norm(gradients, max_norm):
    norm = sum((g**2).sum().item() for g in gradients) ** 0.5
    for g in gradients:
        g.mul_(min(1.0, max_norm / max(norm, 1e-9)))
    return gradients, norm


@wrong("The argument gradients was changed by the call.")
def clip_by_norm(gradients, max_norm):
    norm = torch.sqrt(sum((g**2).sum() for g in gradients))
    if norm > max_norm:
        for g in gradients:
            g.mul_(max_norm / norm)
    return gradients, norm


@wrong("The largest of the tensors' norms is taken.")
def clip_by_norm(gradients, max_norm):
    norm = max(g.norm() for g in gradients)
    factor = max_norm / norm if norm > max_norm else 1.0
    return [g * factor for g in gradients], norm


@wrong("The norm of zeros is 0, and something is divided by it:")
def clip_by_norm(gradients, max_norm):
    norm = math.sqrt(sum((g**2).sum().item() for g in gradients))
    factor = min(1.0, max_norm / norm)
    return [g * factor for g in gradients], norm


@wrong("The order is (gradients, norm):")
def clip_by_norm(gradients, max_norm):
    norm = torch.sqrt(sum((g**2).sum() for g in gradients))
    factor = max_norm / norm if norm > max_norm else 1.0
    return norm, [g * factor for g in gradients]


@wrong("One long vector comes back.")
def clip_by_norm(gradients, max_norm):
    flat = torch.cat([g.flatten() for g in gradients])
    norm = flat.norm()
    return (flat * max_norm / norm if norm > max_norm else flat), norm


@wrong("The root of the *mean* of the squares is taken:")
def clip_by_norm(gradients, max_norm):
    flat = torch.cat([g.flatten() for g in gradients])
    norm = flat.square().mean().sqrt()
    factor = max_norm / norm if norm > max_norm else 1.0
    return [g * factor for g in gradients], norm


@wrong("`max_norm` is not used:")
def clip_by_norm(gradients, max_norm):
    norm = torch.sqrt(sum((g**2).sum() for g in gradients))
    factor = min(1.0, 1.0 / norm) if norm > 0 else 1.0
    return [g * factor for g in gradients], norm


@wrong("The sizes of the numbers are added up.")
def clip_by_norm(gradients, max_norm):
    norm = sum(g.abs().sum() for g in gradients)
    factor = max_norm / norm if norm > max_norm else 1.0
    return [g * factor for g in gradients], norm


@right
def clip_by_norm(gradients, max_norm):
    flat = torch.cat([g.reshape(-1) for g in gradients])
    norm = torch.linalg.vector_norm(flat)
    if norm <= max_norm:
        return [g.clone() for g in gradients], norm
    return [max_norm * g / norm for g in gradients], norm


@right
def clip_by_norm(gradients, max_norm):
    total = 0.0
    for g in gradients:
        for number in g.flatten().tolist():
            total += number * number
    norm = total**0.5
    factor = 1.0
    if norm > max_norm:
        factor = max_norm / norm
    return tuple([[g * factor for g in gradients], norm])


@right
def clip_by_norm(gradients, max_norm):
    copies = [g.clone() for g in gradients]
    norm = torch.stack([g.norm() for g in copies]).norm()
    factor = torch.clamp(max_norm / norm, max=1.0)
    for g in copies:
        g *= factor
    return copies, norm.item()
