"""Exercise 3.3: ``masked_loss``."""

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from attnbook.checks.inputs import Inputs, normal
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import fmt
from attnlib import masking
from attnlib.data import PAD


def masked_loss(logits: Tensor, target: Tensor, mask: Tensor) -> Tensor:
    """Mean cross-entropy (nats) of target (B, T) where mask is True; logits (B, T, V)."""
    return F.cross_entropy(logits[mask], target[mask])


def _tables() -> Inputs:
    make = normal(4)
    for lengths, words in (([1], 3), ([2, 1], 4), ([3, 1], 5), ([2, 4, 1], 7), ([3, 3], 6)):
        mask = masking.lengths_to_mask(torch.tensor(lengths), max(lengths))
        logits = 2 * make(len(lengths), max(lengths), words)
        target = 1 + torch.arange(mask.numel()).view(mask.shape) % (words - 1)
        yield {
            "logits": logits.requires_grad_(len(lengths) > 1),
            "target": target.masked_fill(~mask, PAD),
            "mask": mask,
        }


def _losses(call: Call) -> Tensor:
    """−log p of every position, (B, T)."""
    log_probs = call.logits.detach().log_softmax(-1)
    return -log_probs.gather(2, call.target.unsqueeze(2)).squeeze(2)


def _padding_is_free(call: Call) -> str | None:
    changed = call.logits.detach().clone()
    changed[~call.mask] += torch.arange(float(changed.shape[-1]))
    before, after = float(call.result), float(call(logits=changed))
    if abs(before - after) < 1e-4:
        return None
    return (
        f"When only the logits at padding change, the loss changes from {before:.4f} to "
        f"{after:.4f}. Which positions does the mean go over?"
    )


def _more_padding(call: Call) -> str | None:
    wider = {
        "logits": F.pad(call.logits.detach(), (0, 0, 0, 3)),
        "target": F.pad(call.target, (0, 3), value=PAD),
        "mask": F.pad(call.mask, (0, 3)),
    }
    before, after = float(call.result), float(call(**wider))
    if abs(before - after) < 1e-4:
        return None
    return (
        f"With three more columns of padding the loss changes from {before:.4f} to {after:.4f}. "
        "By how many tokens is the sum divided?"
    )


def _mean_of_tokens(call: Call) -> str | None:
    if abs(float(call.result) - float(call.expected)) < 1e-5:
        return None
    losses = _losses(call)[call.mask]
    return (
        f"The losses (−log p) of the real tokens are {fmt(losses)}: their mean is "
        f"{float(call.expected):.4f}, and you return {float(call.result):.4f}."
    )


def _by_token(reduce: Any) -> Any:
    """A wrong loss from −log p (B, T) and the mask."""

    def wrong(logits: Tensor, target: Tensor, mask: Tensor) -> Tensor:
        losses = F.cross_entropy(logits.transpose(1, 2), target, reduction="none")
        return reduce(losses, mask)

    return wrong


CHECK = Exercise(
    masked_loss,
    inputs=_tables,
    rules={
        "the logits at padding do not matter": _padding_is_free,
        "more padding changes nothing": _more_padding,
        "the result is the mean loss of the real tokens": _mean_of_tokens,
    },
    mistakes={
        "You return the sum over the real tokens. Return their mean: divide by how many there "
        "are.": _by_token(lambda losses, mask: losses[mask].sum()),
        "Padding is in the mean. Take the mean over the positions where the mask is True.": (
            _by_token(lambda losses, mask: losses.mean())
        ),
        "The losses at padding are zero, but you divide by the number of all positions. Divide by "
        "the number of real tokens.": _by_token(lambda losses, mask: (losses * mask).mean()),
        "You take the mean of each sentence, and then the mean of the sentences: a token of a "
        "short sentence counts more. Every real token counts the same.": (
            _by_token(lambda losses, mask: ((losses * mask).sum(1) / mask.sum(1)).mean())
        ),
        "The mask is read the other way around: True means a real token.": (
            lambda logits, target, mask: masked_loss(logits, target, ~mask)
        ),
        "F.cross_entropy takes logits and computes the softmax itself; you give it "
        "probabilities.": lambda logits, target, mask: masked_loss(
            logits.softmax(-1), target, mask
        ),
        "The sign is wrong: the loss is −log p, which is never negative.": (
            lambda logits, target, mask: -masked_loss(logits, target, mask)
        ),
    },
)
