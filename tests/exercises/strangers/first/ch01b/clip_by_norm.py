"""Answers to exercise ``clip_by_norm``, written from its statement alone."""

import math

import torch
from answering import right, wrong


@wrong("every tensor is clipped for itself")
def clip_by_norm(gradients, max_norm):
    total = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    clipped = [g * max_norm / g.norm() if g.norm() > max_norm else g for g in gradients]
    return clipped, total


@wrong("the caller's gradients are scaled in place")
def clip_by_norm(gradients, max_norm):
    norm = torch.sqrt(sum((g**2).sum() for g in gradients))
    if norm > max_norm:
        for g in gradients:
            g.mul_(max_norm / norm)
    return gradients, norm


@wrong("the norm afterwards")
def clip_by_norm(gradients, max_norm):
    norm = torch.sqrt(sum((g**2).sum() for g in gradients))
    factor = max_norm / norm if norm > max_norm else 1.0
    clipped = [g * factor for g in gradients]
    return clipped, torch.sqrt(sum((g**2).sum() for g in clipped))


@wrong("short gradients are stretched to the threshold")
def clip_by_norm(gradients, max_norm):
    norm = torch.sqrt(sum((g**2).sum() for g in gradients))
    return [g * (max_norm / norm) for g in gradients], norm


@wrong("every number is cut off at the threshold: the direction bends")
def clip_by_norm(gradients, max_norm):
    norm = torch.sqrt(sum((g**2).sum() for g in gradients))
    return [g.clamp(-max_norm, max_norm) for g in gradients], norm


@wrong("the square root is missing")
def clip_by_norm(gradients, max_norm):
    norm = sum((g**2).sum() for g in gradients)
    factor = max_norm / norm if norm > max_norm else 1.0
    return [g * factor for g in gradients], norm


@wrong("adds the norms of the tensors")
def clip_by_norm(gradients, max_norm):
    norm = sum(g.norm() for g in gradients)
    factor = max_norm / norm if norm > max_norm else 1.0
    return [g * factor for g in gradients], norm


@wrong("the largest of the tensors' norms")
def clip_by_norm(gradients, max_norm):
    norm = max(g.norm() for g in gradients)
    factor = max_norm / norm if norm > max_norm else 1.0
    return [g * factor for g in gradients], norm


@wrong("divides plain numbers by zero where all gradients are zero")
def clip_by_norm(gradients, max_norm):
    norm = math.sqrt(sum((g**2).sum().item() for g in gradients))
    factor = min(1.0, max_norm / norm)
    return [g * factor for g in gradients], norm


@wrong("norm first, gradients second")
def clip_by_norm(gradients, max_norm):
    norm = torch.sqrt(sum((g**2).sum() for g in gradients))
    factor = max_norm / norm if norm > max_norm else 1.0
    return norm, [g * factor for g in gradients]


@wrong("one long vector comes back, the shapes are lost")
def clip_by_norm(gradients, max_norm):
    flat = torch.cat([g.flatten() for g in gradients])
    norm = flat.norm()
    return (flat * max_norm / norm if norm > max_norm else flat), norm


@wrong("root of the mean of squares: depends on how many numbers there are")
def clip_by_norm(gradients, max_norm):
    flat = torch.cat([g.flatten() for g in gradients])
    norm = flat.square().mean().sqrt()
    factor = max_norm / norm if norm > max_norm else 1.0
    return [g * factor for g in gradients], norm


@wrong("clips to one whatever the threshold")
def clip_by_norm(gradients, max_norm):
    norm = torch.sqrt(sum((g**2).sum() for g in gradients))
    factor = min(1.0, 1.0 / norm) if norm > 0 else 1.0
    return [g * factor for g in gradients], norm


@wrong("absolute values instead of squares")
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
