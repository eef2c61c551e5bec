"""Masks and the two operations that need them: softmax and cross-entropy.

This is the only module that decides what a mask means. A mask is boolean and **True marks a real
token that may be attended**, as in ``F.scaled_dot_product_attention``. APIs with the opposite
sense (``nn.MultiheadAttention``'s ``key_padding_mask``) get ``~mask`` at the border.
"""

import math

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


def lengths_to_mask(lengths: Int[Tensor, "B"], size: int | None = None) -> Bool[Tensor, "B S"]:
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


def token_cross_entropy(
    logits: Float[Tensor, "N V"], targets: Int[Tensor, "N"], label_smoothing: float = 0.0
) -> Float[Tensor, ""]:
    """Mean cross-entropy of N real tokens, in nats, with label smoothing.

    ℓ = −Σ_v q_v log p_v  with  q = (1−ε)·onehot(y) + ε/V   (Szegedy et al. 2016, §7)

    ε/V is given to every word, the right one included, as torch does.

    Arguments: logits (N, V); targets (N,) int64; label_smoothing ε in [0, 1).
    Returns a scalar. Raises ValueError for an ε outside [0, 1).

    >>> round(token_cross_entropy(torch.zeros(1, 4), torch.tensor([2])).item(), 4)  # log 4
    1.3863
    """
    if not 0.0 <= label_smoothing < 1.0:
        raise ValueError(f"label_smoothing must lie in [0, 1), got {label_smoothing}")
    log_probs = logits.log_softmax(-1, dtype=torch.float32)  # (N, V)
    loss = -log_probs.gather(1, targets.unsqueeze(1)).squeeze(1)  # (N,)
    if label_smoothing:
        loss = (1 - label_smoothing) * loss - label_smoothing * log_probs.mean(-1)
    return loss.mean()


def masked_cross_entropy(
    logits: Float[Tensor, "B T V"],
    targets: Int[Tensor, "B T"],
    mask: Bool[Tensor, "B T"],
    label_smoothing: float = 0.0,
) -> Float[Tensor, ""]:
    """Cross-entropy averaged over the real tokens of a padded batch, in nats per token.

    Appending padding to the batch changes nothing. Arguments: logits (B, T, V); targets (B, T)
    int64; mask (B, T) bool, True = real token; label_smoothing as in ``token_cross_entropy``.
    Raises ValueError where no token is real, for then there is nothing to average.

    >>> logits = torch.zeros(1, 2, 4)
    >>> mask = torch.tensor([[True, False]])
    >>> round(masked_cross_entropy(logits, torch.zeros(1, 2, dtype=torch.long), mask).item(), 4)
    1.3863
    """
    if not bool(mask.any()):
        raise ValueError("mask must mark at least one real token, got none")
    return token_cross_entropy(logits[mask], targets[mask], label_smoothing)


def perplexity(total_nll: float, tokens: int) -> float:
    """exp(total negative log-likelihood / number of tokens): never average batch means.

    >>> round(perplexity(total_nll=2 * 1.3862943611, tokens=2), 4)
    4.0
    """
    if tokens < 1:
        raise ValueError(f"tokens must be at least 1, got {tokens}")
    return math.exp(total_nll / tokens)
