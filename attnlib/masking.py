"""Masks and the softmax that needs them.

This is the only module that decides what a mask means. A mask is boolean and **True marks a real
token that may be attended**, as in ``F.scaled_dot_product_attention``. APIs with the opposite
sense (``nn.MultiheadAttention``'s ``key_padding_mask``) get ``~mask`` at the border.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


def lengths_to_mask(lengths: Int[Tensor, " B"], size: int | None = None) -> Bool[Tensor, "B S"]:
    """Mask of a padded batch: ``mask[b, j]`` is True exactly when ``j < lengths[b]``.

    Arguments: lengths (B,), how many real tokens each row has; size S, the padded length (the
    longest row where None). Returns (B, S) bool, True = real token. Raises ValueError where a
    length is negative or larger than ``size``.

    >>> lengths_to_mask(torch.tensor([1, 3])).int()
    tensor([[1, 0, 0],
            [1, 1, 1]], dtype=torch.int32)
    """
    longest = int(lengths.max()) if lengths.numel() else 0
    size = longest if size is None else size
    if lengths.numel() and (int(lengths.min()) < 0 or longest > size):
        raise ValueError(f"lengths must lie between 0 and size={size}, got {lengths.tolist()}")
    return torch.arange(size, device=lengths.device) < lengths.unsqueeze(1)  # (B, S)


def masked_softmax(
    scores: Float[Tensor, "*dims"], mask: Bool[Tensor, "*mask_dims"] | None, dim: int = -1
) -> Float[Tensor, "*dims"]:
    """Softmax over the positions the mask allows; all others get weight exactly 0.

    α_j = exp(e_j) / Σ_{k allowed} exp(e_k)   (Bahdanau et al. 2015, Eq. 6, with a mask)

    The mask comes *before* the softmax, so what is left still sums to 1. A row with nothing
    allowed becomes all zeros, with a zero gradient, where a plain softmax over −∞ gives NaN.

    Arguments: scores, any floating shape; mask, bool, broadcastable to scores, True = allowed
    (None allows all); dim, the dimension that is normalised. ``scores`` is not changed.
    Returns weights shaped like scores, float32 or wider. Raises ValueError for a mask that is not
    boolean.

    >>> masked_softmax(torch.tensor([0.0, 0.0, 9.0]), torch.tensor([True, True, False]))
    tensor([0.5000, 0.5000, 0.0000])
    """
    # Exponentials need float32 at least: in bfloat16 the weights would miss 1 by a hundredth.
    wide = torch.promote_types(scores.dtype, torch.float32)
    if mask is None:
        return scores.softmax(dim, dtype=wide)
    if mask.dtype != torch.bool:
        raise ValueError(f"mask must be boolean (True = may be attended), got {mask.dtype}")
    # The smallest finite number instead of −∞: exp() of it is 0 beside any allowed score, and a
    # row without one stays finite until the second masked_fill clears it.
    lowest = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, lowest).softmax(dim, dtype=wide)
    return weights.masked_fill(~mask, 0.0)
