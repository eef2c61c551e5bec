"""Answers to exercise ``clip_by_norm``, written from its statement alone."""

import math

import torch
from answering import wrong


@wrong("every tensor is clipped for itself")
def clip_by_norm(gradients, max_norm):
    total = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    clipped = [g * max_norm / g.norm() if g.norm() > max_norm else g for g in gradients]
    return clipped, total


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
