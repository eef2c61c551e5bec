import math

import torch
from answering import right, wrong


@wrong("each tensor is clipped by its own norm")
def clip_by_norm(gradients, max_norm):
    total = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    clipped = []
    for g in gradients:
        norm = float(g.norm())
        clipped.append(g * min(1.0, max_norm / norm) if norm > 0 else g.clone())
    return clipped, total


@wrong("small gradients are scaled up to the largest norm that is allowed")
def clip_by_norm(gradients, max_norm):
    total = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    if total == 0:
        return [g.clone() for g in gradients], total
    return [g * max_norm / total for g in gradients], total


@wrong("gradients of zeros become NaN")
def clip_by_norm(gradients, max_norm):
    total = torch.stack([(g**2).sum() for g in gradients]).sum().sqrt()
    return [g / total * total.clamp(max=max_norm) for g in gradients], total


@wrong("the norm is measured after clipping")
def clip_by_norm(gradients, max_norm):
    total = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    factor = min(1.0, max_norm / total) if total > 0 else 1.0
    clipped = [g * factor for g in gradients]
    return clipped, math.sqrt(sum(float((g**2).sum()) for g in clipped))


@wrong("the norms of the tensors are added, not their squares")
def clip_by_norm(gradients, max_norm):
    total = sum(float(g.norm()) for g in gradients)
    factor = min(1.0, max_norm / total) if total > 0 else 1.0
    return [g * factor for g in gradients], total


@wrong("every number is clipped by itself to ± max_norm")
def clip_by_norm(gradients, max_norm):
    total = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    return [g.clamp(-max_norm, max_norm) for g in gradients], total


@wrong("the given tensors are scaled in place")
def clip_by_norm(gradients, max_norm):
    total = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    if total > max_norm:
        for g in gradients:
            g.mul_(max_norm / total)
    return gradients, total


@wrong("no root: the sum of the squares is taken for the norm")
def clip_by_norm(gradients, max_norm):
    total = sum(float((g**2).sum()) for g in gradients)
    factor = min(1.0, max_norm / total) if total > 0 else 1.0
    return [g * factor for g in gradients], total


@wrong("too large gradients are set to zero instead of scaled")
def clip_by_norm(gradients, max_norm):
    total = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    if total > max_norm:
        return [torch.zeros_like(g) for g in gradients], total
    return [g.clone() for g in gradients], total


@wrong("the pair is returned the other way round, the norm first")
def clip_by_norm(gradients, max_norm):
    total = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    factor = min(1.0, max_norm / total) if total > 0 else 1.0
    return total, [g * factor for g in gradients]


@right
def clip_by_norm(gradients, max_norm):
    flat = torch.cat([g.reshape(-1) for g in gradients])
    norm = torch.linalg.vector_norm(flat)
    if norm <= max_norm:
        return [g.clone() for g in gradients], norm
    return [g / norm * max_norm for g in gradients], norm


@right
def clip_by_norm(gradients, max_norm):
    squares = 0.0
    for g in gradients:
        for number in g.flatten().tolist():
            squares += number * number
    norm = math.sqrt(squares)
    factor = max_norm / max(norm, max_norm)
    return [factor * g for g in gradients], norm
