"""Answers to exercise ``clip_by_norm``, as learners write them."""

import torch
from answering import wrong


@wrong("Each number is clipped by itself")
def clip_by_norm(gradients, max_norm):
    norm = torch.cat([g.flatten() for g in gradients]).norm().item()
    return [torch.clamp(g, min=-max_norm, max=max_norm) for g in gradients], norm


@wrong("before clipping, of all numbers together, it is 5.")
def clip_by_norm(gradients, max_norm):
    norm = torch.cat([g.flatten() for g in gradients]).norm().item()
    factor = min(1.0, max_norm / norm) if norm else 1.0
    clipped = [g * factor for g in gradients]
    return clipped, torch.cat([g.flatten() for g in clipped]).norm().item()


@wrong("With max_norm = 2 it should be 0.5")
def clip_by_norm(gradients, max_norm):
    norm = torch.cat([g.flatten() for g in gradients]).norm()
    return [g * (max_norm / norm) for g in gradients], float(norm)


@wrong("The argument gradients was changed")
def clip_by_norm(gradients, max_norm):
    norm = sum((g**2).sum().item() for g in gradients) ** 0.5
    for g in gradients:
        g.mul_(min(1.0, max_norm / max(norm, 1e-9)))
    return gradients, norm
