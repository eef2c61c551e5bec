"""Masks and the softmax that needs them.

This is the only module that decides what a mask means. A mask is boolean and **True marks a real
token that may be attended**, as in ``F.scaled_dot_product_attention``. APIs with the opposite
sense (``nn.MultiheadAttention``'s ``key_padding_mask``) get ``~mask`` at the border.
"""

import math

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from .names import require, require_whole


def lengths_to_mask(lengths: Int[Tensor, " B"], size: int | None = None) -> Bool[Tensor, "B S"]:
    """Mask of a padded batch: ``mask[b, j]`` is True exactly when ``j < lengths[b]``.

    Arguments: lengths (B,), how many real tokens each row has; size S, the padded length (the
    longest row where None). Returns (B, S) bool, True = real token. Raises ValueError where a
    length is negative or larger than ``size``, or no whole number.

    >>> lengths_to_mask(torch.tensor([1, 3])).int()
    tensor([[1, 0, 0],
            [1, 1, 1]], dtype=torch.int32)
    """
    whole = lengths.dim() == 1 and not lengths.is_floating_point()
    got = tuple(lengths.shape), lengths.dtype
    require(whole, "lengths", "a row of whole numbers, (B,)", got)
    longest = int(lengths.max()) if lengths.numel() else 0
    size = max(longest, 0) if size is None else size
    require_whole("size", size, 0)
    if lengths.numel() and (int(lengths.min()) < 0 or longest > size):
        raise ValueError(f"lengths must lie between 0 and size={size}, got {lengths.tolist()}")
    return torch.arange(size, device=lengths.device) < lengths.unsqueeze(1)  # (B, S)


def masked_softmax(
    scores: Float[Tensor, "*dims"], mask: Bool[Tensor, "*mask_dims"] | None, dim: int = -1
) -> Float[Tensor, "*dims"]:
    """Softmax over the positions the mask allows; all others get weight exactly 0.

    α_j = exp(e_j) / Σ_{k allowed} exp(e_k)   (Bahdanau et al. 2015, Eq. 6, with a mask)

    The mask comes *before* the softmax, so what is left still sums to 1, however small the scores
    are. A row with nothing allowed, or only scores of −∞, becomes all zeros, with a zero gradient,
    where a plain softmax over −∞ gives NaN.

    Arguments: scores, any floating shape; mask, bool, broadcastable to scores, True = allowed
    (None allows all); dim, the dimension that is normalised. ``scores`` is not changed.
    Returns weights shaped like scores, in ``wide`` numbers. Raises ValueError for a mask that is
    not boolean, or of a shape that is not the scores'.

    >>> masked_softmax(torch.tensor([0.0, 0.0, 9.0]), torch.tensor([True, True, False]))
    tensor([0.5000, 0.5000, 0.0000])
    """
    if mask is None:
        return scores.softmax(dim, dtype=wide(scores.dtype))
    if mask.dtype != torch.bool:
        raise ValueError(f"mask must be boolean (True = may be attended), got {mask.dtype}")
    if not _fits(mask, scores):
        shapes = f"{tuple(scores.shape)}, got {tuple(mask.shape)}"
        raise ValueError(f"mask must have the shape of scores, or spread over it, {shapes}")
    # exp(−∞) is 0 beside any number. A row without one is filled with zeros and so stays finite
    # until the second mask clears it.
    some = (mask & (scores > -math.inf)).any(dim, keepdim=True)
    filled = torch.where(mask, scores, torch.where(some, -math.inf, 0.0))
    return filled.softmax(dim, dtype=wide(scores.dtype)).masked_fill(~mask, 0.0)


def check_mask(mask: Tensor, *size: int) -> None:
    """Refuse a mask that is not boolean, or of another shape: it would be spread over the rows.

    >>> check_mask(torch.tensor([[True]]), 2, 1)
    Traceback (most recent call last):
    ValueError: mask must be boolean, of shape (2, 1), got ((1, 1), torch.bool)
    """
    fits = mask.dtype == torch.bool and mask.shape == size
    require(fits, "mask", f"boolean, of shape {size}", (tuple(mask.shape), mask.dtype))


def _fits(mask: Tensor, scores: Tensor) -> bool:
    """Whether a mask spreads over scores without making them larger."""
    sides = zip(mask.shape[::-1], scores.shape[::-1])
    return mask.dim() <= scores.dim() and all(m in (1, s) for m, s in sides)


def wide(kind: torch.dtype) -> torch.dtype:
    """The type of number in which probabilities and losses are computed: float32, or float64 where
    they are made of that. In bfloat16 weights would miss their sum of 1 by a hundredth.

    >>> wide(torch.bfloat16), wide(torch.float64)
    (torch.float32, torch.float64)
    """
    return torch.promote_types(kind, torch.float32)
