"""Losses: cross-entropy of real tokens, of a batch, of a corpus.

``token_cross_entropy`` is the formula. Where a batch has more than ``fused.MANY`` logits, training
computes the same in blocks of rows, which needs less memory and time.
"""

from collections.abc import Iterable

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from ..checks import as_number, require
from ..data import Batch
from ..device import to_device
from ..masking import accumulation_dtype
from ..model import evaluating
from . import fused
from .trainable import Trainable, module_of


def token_cross_entropy(
    logits: Float[Tensor, "N V"], targets: Int[Tensor, " N"], label_smoothing: float = 0.0
) -> Float[Tensor, ""]:
    """Mean cross-entropy of N real tokens, in nats, with label smoothing.

    ℓ = −Σ_v q_v log p_v  with  q = (1−ε)·onehot(y) + ε/V   (Szegedy et al. 2016, §7)

    ε/V is given to every word, the right one included, as torch does.

    Arguments: logits (N, V), N at least 1; targets (N,) int64; label_smoothing ε in [0, 1).
    Returns a scalar of the ``accumulation_dtype``. Raises ValueError for an ε outside [0, 1), and
    for targets that are not one for each row.

    >>> round(token_cross_entropy(torch.zeros(1, 4), torch.tensor([2])).item(), 4)  # log 4
    1.3863
    """
    smoothing = float(as_number(label_smoothing))
    require(0.0 <= smoothing < 1.0, "label_smoothing", "in [0, 1)", label_smoothing)
    two = logits.dim() == 2 and len(logits) > 0
    require(two, "logits", "a matrix with a row for each of N tokens", tuple(logits.shape))
    expected = f"one for each of the {len(logits)} rows of logits"
    require(targets.shape == logits.shape[:1], "targets", expected, tuple(targets.shape))
    log_probs = logits.log_softmax(-1, dtype=accumulation_dtype(logits.dtype))  # (N, V)
    loss = -log_probs.gather(1, targets.unsqueeze(1)).squeeze(1)  # (N,)
    if smoothing:
        loss = (1 - smoothing) * loss - smoothing * log_probs.mean(-1)
    return loss.mean()


def batch_loss(
    model: Trainable,
    batch: Batch,
    label_smoothing: float = 0.0,
    teacher_forcing: float = 1.0,
    generator: torch.Generator | None = None,
) -> Float[Tensor, ""]:
    """Cross-entropy per real target token, in nats: padding is never even predicted.

    The batch may lie on another device than the model. Copying one from the CPU to
    a GPU does not synchronize: the positions of real tokens are computed before. Raises ValueError
    for a model that is not ``Trainable``, and for what is no ``Batch``.
    """
    module_of(model)
    require(isinstance(batch, Batch), "batch", "what make_batch makes", type(batch).__name__)
    output = model.output
    device, real = output.weight.device, batch.tgt_mask.flatten().nonzero().squeeze(1)  # (N,)
    targets, real = to_device(batch.tgt_out.flatten()[real], device), to_device(real, device)
    src, src_mask, tgt_in = (to_device(tensor, device) for tensor in batch[:3])
    features, _ = model.features(src, src_mask, tgt_in, teacher_forcing, generator)
    x = features.flatten(0, 1)[real]  # (N, O)
    many = len(targets) * len(output.weight) > fused.MANY and torch.is_grad_enabled()
    if many:
        return fused.linear_cross_entropy(x, output.weight, output.bias, targets, label_smoothing)
    logits = F.linear(x, output.weight, output.bias)
    return token_cross_entropy(logits, targets, label_smoothing)


def teacher_forced_loss(model: Trainable, batches: Iterable[Batch]) -> float:
    """Negative log-likelihood per token, in nats, *given the gold prefix at every step*.

    It is exact and cheap, but it is not what the model does when it translates: there it reads
    its own output. exp() of it is the perplexity. Raises ValueError where there is no batch.
    """
    with evaluating(module_of(model)):
        losses = [(batch_loss(model, batch), int(batch.tgt_mask.sum())) for batch in batches]
    if not losses:
        raise ValueError("batches must hold at least one sentence, got none")
    # One synchronization with the GPU instead of one a batch.
    means = torch.stack([loss for loss, _ in losses]).tolist()
    return sum(mean * count for mean, (_, count) in zip(means, losses)) / sum(n for _, n in losses)
