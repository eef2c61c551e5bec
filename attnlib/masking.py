"""Masks and the softmax that needs them.

This is the only module that decides what a mask means. A mask is boolean and **True marks a real
token that may be attended**, as in ``F.scaled_dot_product_attention``. APIs with the opposite
sense (``nn.MultiheadAttention``'s ``key_padding_mask``) get ``~mask`` at the border.
"""

import math
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from .checks import as_int, require


def lengths_to_mask(lengths: Int[Tensor, " B"], size: int | None = None) -> Bool[Tensor, "B S"]:
    """Mask of a padded batch: ``mask[b, j]`` is True exactly when ``j < lengths[b]``.

    Arguments: lengths (B,), how many real tokens each row has; size S, the padded length (the
    longest row where None). Returns (B, S) bool, True = real token. Raises ValueError where a
    length is negative or larger than ``size``, and where lengths are no tensor of whole numbers.

    >>> lengths_to_mask(torch.tensor([1, 3])).int()
    tensor([[1, 0, 0],
            [1, 1, 1]], dtype=torch.int32)
    """
    row = isinstance(lengths, Tensor) and lengths.dim() == 1
    expected = "a tensor of whole numbers, (B,)"
    require(row and is_integer(lengths), "lengths", expected, summary(lengths))
    longest = int(lengths.max()) if lengths.numel() else 0
    size = as_int("size", max(longest, 0) if size is None else size, 0)
    inside = bool(((lengths >= 0) & (lengths <= size)).all())
    require(inside, "lengths", f"between 0 and size={size}", lengths.tolist())
    return torch.arange(size, device=lengths.device) < lengths.unsqueeze(1)  # (B, S)


def masked_softmax(
    scores: Float[Tensor, "*dims"], mask: Bool[Tensor, "*mask_dims"] | None, dim: int = -1
) -> Float[Tensor, "*dims"]:
    """Softmax over the positions the mask allows; all others get weight exactly 0.

    α_j = exp(e_j) / Σ_{k allowed} exp(e_k)   (Bahdanau et al. 2015, Eq. 6, with a mask)

    The mask comes *before* the softmax, so what is left still sums to 1, however small the scores
    are. A row with nothing allowed, or only scores of −∞, becomes all zeros, with a zero gradient,
    where a plain softmax over −∞ gives NaN; that holds without a mask, too.

    Arguments: scores, any floating shape; mask, bool, broadcastable to scores, True = allowed
    (None allows all); dim, the dimension that is normalised. ``scores`` is not changed.
    Returns weights shaped like scores, of the ``accumulation_dtype``. Raises ValueError for a mask
    that is not boolean or cannot be broadcast to scores, and for scores that are no tensor.

    >>> masked_softmax(torch.tensor([0.0, 0.0, 9.0]), torch.tensor([True, True, False]))
    tensor([0.5000, 0.5000, 0.0000])
    """
    require(isinstance(scores, Tensor), "scores", "a tensor", summary(scores))
    allowed = scores != -math.inf
    if mask is not None:
        boolean = isinstance(mask, Tensor) and mask.dtype == torch.bool
        require(boolean, "mask", "a boolean tensor (True = may be attended)", summary(mask))
        sides = zip(mask.shape[::-1], scores.shape[::-1])
        fits = mask.dim() <= scores.dim() and all(m in (1, s) for m, s in sides)
        if not fits:
            shapes = f"{tuple(scores.shape)}, got {tuple(mask.shape)}"
            raise ValueError(f"mask must have the shape of scores, or broadcast to it, {shapes}")
        allowed = allowed & mask
    # exp(−∞) is 0 beside any number. A row without one is filled with zeros and so stays finite
    # until it is cleared.
    some = allowed.any(dim, keepdim=True)
    filled = torch.where(allowed, scores, torch.where(some, -math.inf, 0.0))
    return filled.softmax(dim, dtype=accumulation_dtype(scores.dtype)).masked_fill(~allowed, 0.0)


def check_mask(mask: Tensor, *size: int) -> None:
    """Refuse a mask that is not boolean, or of another shape: it would be spread over the rows.

    >>> check_mask(torch.tensor([[True]]), 2, 1)
    Traceback (most recent call last):
    ValueError: mask must be a boolean tensor of shape (2, 1), got ((1, 1), torch.bool)
    """
    if not (isinstance(mask, Tensor) and mask.dtype == torch.bool and mask.shape == size):
        raise ValueError(f"mask must be a boolean tensor of shape {size}, got {summary(mask)}")


def check_padding(mask: Tensor, name: str, rows: Tensor) -> None:
    """Refuse rows that are not (B, S, F), and a mask of theirs in which padding comes before a
    real token, as in an inverted one, or which has no real token at all.

    The mask's values are read where it has some: not while a graph is recorded, nor under vmap; nor
    where a model is trained on a GPU, with which every read would synchronize.

    >>> check_padding(torch.tensor([[False, True]]), "x", torch.zeros(1, 2, 3))
    Traceback (most recent call last):
    ValueError: mask must be True at real tokens, which come first, with padding behind them; \
is it inverted, or padded on the left?
    """
    table = isinstance(rows, Tensor) and rows.dim() == 3 and rows.shape[1] > 0
    require(table, name, "a tensor (B, S, F), S at least 1", summary(rows))
    check_mask(mask, *rows.shape[:2])
    trained = mask.device.type != "cpu" and torch.is_grad_enabled()
    if torch.compiler.is_compiling() or torch.jit.is_tracing() or trained or not mask.numel():
        return  # a graph that is recorded must not depend on values
    try:
        fits = bool(mask.any() & (mask[:, :-1] | ~mask[:, 1:]).all())
    except RuntimeError:  # under vmap and on the device "meta" a mask shows no values
        return
    if not fits:
        advice = "is it inverted, or padded on the left?"
        rule = "True at real tokens, which come first, with padding behind them"
        raise ValueError(f"mask must be {rule}; {advice}")


def check_floats(**tensors: Tensor) -> None:
    """Refuse what is no tensor of floating-point numbers: whole ones would be cut where they mix.

    >>> check_floats(keys=torch.tensor([1, 0]))
    Traceback (most recent call last):
    ValueError: keys must be a tensor of floating-point numbers, got ((2,), torch.int64)
    """
    for name, tensor in tensors.items():
        floats = isinstance(tensor, Tensor) and tensor.is_floating_point()
        require(floats, name, "a tensor of floating-point numbers", summary(tensor))


def check_tokens(name: str, tokens: Tensor) -> None:
    """Refuse what is no table of tokens, (B, T), with at least one column.

    >>> check_tokens("src", torch.zeros(2, 0, dtype=torch.long))
    Traceback (most recent call last):
    ValueError: src must be a tensor of whole numbers, (B, T), T at least 1, \
got ((2, 0), torch.int64)
    """
    table = isinstance(tokens, Tensor) and tokens.dim() == 2 and tokens.shape[1] > 0
    expected = "a tensor of whole numbers, (B, T), T at least 1"
    require(table and is_integer(tokens), name, expected, summary(tokens))


def is_integer(tensor: Tensor) -> bool:
    """Whether a tensor holds integers; bools are none."""
    dtype = tensor.dtype
    return not (dtype.is_floating_point or dtype.is_complex or dtype == torch.bool)


def summary(value: Any) -> Any:
    """What an error message says that it got: a tensor's shape and dtype, the type of all else."""
    if isinstance(value, Tensor):
        return tuple(value.shape), value.dtype
    return None if value is None else type(value)


def accumulation_dtype(dtype: torch.dtype) -> torch.dtype:
    """The dtype in which probabilities and losses are computed: float32, or float64 of float64.
    In bfloat16 weights would miss their sum of 1 by a hundredth.

    >>> accumulation_dtype(torch.bfloat16), accumulation_dtype(torch.float64)
    (torch.float32, torch.float64)
    """
    return torch.promote_types(dtype, torch.float32)
