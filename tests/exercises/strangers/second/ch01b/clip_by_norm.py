"""Answers to exercise ``clip_by_norm``, written from its statement alone."""

import math

import torch
from answering import right, wrong


@wrong("every tensor is clipped by its own norm, not by the norm of all")
def clip_by_norm(gradients, max_norm):
    clipped = []
    for g in gradients:
        n = g.norm()
        clipped.append(g * (max_norm / n) if n > max_norm else g.clone())
    total = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    return clipped, total


@wrong("the root is forgotten: the sum of squares is taken for the norm")
def clip_by_norm(gradients, max_norm):
    norm = sum((g**2).sum() for g in gradients).item()
    factor = max_norm / norm if norm > max_norm else 1.0
    return [g * factor for g in gradients], norm


@wrong("a short gradient is lengthened to max_norm")
def clip_by_norm(gradients, max_norm):
    norm = math.sqrt(sum((g**2).sum().item() for g in gradients))
    if norm == 0:
        return [g.clone() for g in gradients], 0.0
    return [g * max_norm / norm for g in gradients], norm


@wrong("the given tensors are changed in place")
def clip_by_norm(gradients, max_norm):
    norm = math.sqrt(sum((g**2).sum().item() for g in gradients))
    if norm > max_norm:
        for g in gradients:
            g.mul_(max_norm / norm)
    return gradients, norm


@wrong("clamps each number, which changes the direction")
def clip_by_norm(gradients, max_norm):
    norm = torch.cat([g.flatten() for g in gradients]).norm().item()
    return [g.clamp(-max_norm, max_norm) for g in gradients], norm


@wrong("the norm returned is the one after clipping")
def clip_by_norm(gradients, max_norm):
    norm = math.sqrt(sum((g**2).sum().item() for g in gradients))
    factor = min(1.0, max_norm / norm) if norm > 0 else 1.0
    clipped = [g * factor for g in gradients]
    after = math.sqrt(sum((g**2).sum().item() for g in clipped))
    return clipped, after


@wrong("norms of the tensors are added, not their squares")
def clip_by_norm(gradients, max_norm):
    norm = sum(g.norm().item() for g in gradients)
    factor = max_norm / norm if norm > max_norm else 1.0
    return [g * factor for g in gradients], norm


@right
def clip_by_norm(gradients, max_norm):
    everything = torch.cat([g.reshape(-1) for g in gradients])
    norm = torch.linalg.vector_norm(everything)
    scale = torch.clamp(max_norm / (norm + 1e-12), max=1.0)
    return [g * scale for g in gradients], norm


@right
def clip_by_norm(gradients, max_norm):
    total = 0.0
    for g in gradients:
        for number in g.flatten().tolist():
            total += number * number
    norm = total**0.5
    out = []
    for g in gradients:
        copy = g.clone()
        if norm > max_norm:
            copy /= norm
            copy *= max_norm
        out.append(copy)
    return out, norm
