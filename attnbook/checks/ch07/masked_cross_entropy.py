"""Exercise 7.7: ``masked_cross_entropy``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from attnbook.checks.ch07.shared import LOSS_SLIPS, Loss, generator
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake
from attnbook.exercises.values import shown


def masked_cross_entropy(logits: Any, targets: Any, mask: Any, label_smoothing: Any = 0.0) -> Any:
    """Loss per real token in nats. logits (B, T, V), targets, mask (B, T) → scalar tensor ()."""
    return F.cross_entropy(logits[mask], targets[mask], label_smoothing=label_smoothing)


def _padded_losses() -> Inputs:
    yield {
        "logits": torch.tensor([[[0.0, 2.0, 0.0], [5.0, 0.0, 0.0]]]),
        "targets": torch.tensor([[1, 0]]),
        "mask": torch.tensor([[True, False]]),
        "label_smoothing": 0.0,
    }
    # A real token may be word 0, and at padding may stand any word: the mask alone decides.
    for seed, padding, smoothing in ((1, 0, 0.0), (2, 0, 0.1), (3, 4, 0.0), (4, 2, 0.3)):
        draw = generator(seed)
        mask = torch.arange(5) < torch.tensor([[5], [1], [4]])
        targets = torch.randint(6, (3, 5), generator=draw).masked_fill(~mask, padding)
        targets[0, 1], targets[2, 0] = 0, padding
        yield {
            "logits": 2 * torch.randn(3, 5, 6, generator=draw),
            "targets": targets,
            "mask": mask,
            "label_smoothing": smoothing,
        }


def _each(logits: Tensor, targets: Tensor, label_smoothing: float) -> Tensor:
    """The loss at every position, (B, T)."""
    return F.cross_entropy(
        logits.transpose(1, 2), targets, reduction="none", label_smoothing=label_smoothing
    )


def _more_padding(call: Call) -> str | None:
    rows, _, words = call.logits.shape
    more = {
        "logits": torch.cat([call.logits, torch.ones(rows, 2, words)], 1),
        "targets": torch.cat([call.targets, torch.zeros(rows, 2).long()], 1),
        "mask": torch.cat([call.mask, torch.zeros(rows, 2).bool()], 1),
    }
    before, after = float(call.result), float(call(**more))
    if abs(before - after) < 1e-5:
        return None
    return (
        f"Two more columns of padding change the loss from {before:.3f} to {after:.3f}. Padding "
        "must count neither above nor below the line of the mean."
    )


def _padding_logits(call: Call) -> str | None:
    other = call.logits + (~call.mask).unsqueeze(-1) * torch.arange(call.logits.shape[-1])
    if abs(float(call(logits=other)) - float(call.result)) < 1e-5:
        return None
    return "What the model predicts at padding changes the loss. Which positions does it cover?"


def _padding_targets(call: Call) -> str | None:
    other = (call.targets + 1) % call.logits.shape[-1]
    found = call(targets=torch.where(call.mask, call.targets, other))
    if abs(float(found) - float(call.result)) < 1e-5:
        return None
    return (
        "Another word at padding, where the mask is False, changes the loss: the mask alone says "
        "what is real."
    )


def _by_tokens(call: Call) -> str | None:
    if abs(float(call.result) - float(call.expected)) < 1e-5:
        return None
    costs = _each(call.logits, call.targets, call.label_smoothing)[call.mask].detach()
    return (
        f"The {len(costs)} real tokens cost {shown(costs)}, {shown(costs.sum().item())} in all and "
        f"{shown(costs.mean().item())} on average; {shown(float(call.result))} is returned."
    )


_BATCH = ("logits", "targets", "mask")


def _every_token_alike(call: Call) -> str | None:
    """Rows of unlike length cost together what they cost alone, weighted by their tokens."""
    rows, counts = len(call.mask), call.mask.sum(1).tolist()
    if rows == 1:
        return None
    alone = [
        float(call(**{name: call.arguments[name][b : b + 1] for name in _BATCH}))
        for b in range(rows)
    ]
    right = sum(n * loss for n, loss in zip(counts, alone)) / sum(counts)
    found = float(call.result)
    if abs(found - right) < 1e-4:
        return None
    told = ", ".join(f"{n} tokens at {loss:.3f}" for n, loss in zip(counts, alone))
    return (
        f"Alone the sentences have {told} each, by your own function. That makes {right:.3f} per "
        f"token, and together they have {found:.3f}. Every token weighs the same, whatever "
        "sentence it is in."
    )


#: A wrong mean of the losses at all positions, by them and the mask.
_MEANS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "Padding is counted like any other word. Which positions does the mask mark?": (
        lambda each, mask: each.mean()
    ),
    "The losses at padding are 0 now, but the sum is still divided by all positions. Divide by the "
    "number of real tokens.": lambda each, mask: (each * mask).mean(),
    "The losses at padding are in the sum. It is divided by the number of real tokens, and should "
    "be over them, too.": lambda each, mask: each.sum() / mask.sum(),
    "This is the mean of the sentences' means: the token of a short sentence weighs more than that "
    "of a long one. Every token weighs the same.": (
        lambda each, mask: ((each * mask).sum(1) / mask.sum(1)).mean()
    ),
    "This is the loss per sentence: the sum is divided by B. Divide by the number of real "
    "tokens.": lambda each, mask: (each * mask).sum() / len(mask),
    "The sum is divided by the length T of the table. Divide by the number of real tokens.": (
        lambda each, mask: (each * mask).sum() / mask.shape[1]
    ),
}
_BLANKED = (
    "The logits at padding are set to 0: then every word is equally probable there, and each "
    "padding still costs log V. Leave its loss out."
)


def _mean_of_all(mean: Callable[[Tensor, Tensor], Tensor], blank: bool) -> Callable[..., Tensor]:
    """A mean of the losses at all positions, the logits at padding set to 0 where ``blank``."""
    return lambda logits, targets, mask, label_smoothing=0.0: mean(
        _each(logits * (mask | (not blank)).unsqueeze(-1), targets, label_smoothing), mask
    )


def _of_real(loss: Loss) -> Callable[..., Tensor]:
    return lambda logits, targets, mask, label_smoothing=0.0: loss(
        logits[mask], targets[mask], label_smoothing
    )


def _fixed(smoothing: float) -> Mistake:
    told = f"The smoothing is always {smoothing:g}: ε is an argument, `label_smoothing`."
    return told, _of_real(lambda x, y, e: F.cross_entropy(x, y, label_smoothing=smoothing))


CHECK = Exercise(
    "masked_cross_entropy",
    reference=masked_cross_entropy,
    inputs=_padded_losses,
    rules={
        "what is predicted at padding does not count": _padding_logits,
        "which word stands at padding does not count": _padding_targets,
        "more columns of padding change nothing": _more_padding,
        "every real token weighs the same": _every_token_alike,
        "the loss is the mean of what the real tokens cost": _by_tokens,
    },
    mistakes=[
        *((told, _mean_of_all(mean, blank=False)) for told, mean in _MEANS.items()),
        (_BLANKED, _mean_of_all(lambda each, mask: each.mean(), blank=True)),
        (_BLANKED, _mean_of_all(lambda each, mask: each.sum() / mask.sum(), blank=True)),
        (
            "The mask is the wrong way round: True marks a real token.",
            lambda logits, targets, mask, label_smoothing=0.0: masked_cross_entropy(
                logits, targets, ~mask, label_smoothing
            ),
        ),
        (
            "Word 0 is left out, whatever the mask says. The mask alone says what is real.",
            lambda logits, targets, mask, label_smoothing=0.0: masked_cross_entropy(
                logits, targets, targets != 0, label_smoothing
            ),
        ),
        (
            "Word 0 is left out beside what the mask leaves out. The mask alone says what is real.",
            lambda logits, targets, mask, label_smoothing=0.0: masked_cross_entropy(
                logits, targets, mask & (targets != 0), label_smoothing
            ),
        ),
        (
            "F.cross_entropy wants the words in dimension 1: pick the real tokens first, "
            "logits[mask], or make it (B, V, T).",
            lambda logits, targets, mask, label_smoothing=0.0: F.cross_entropy(logits, targets),
        ),
        *(_fixed(smoothing) for smoothing in (0.1, 0.2)),
        *((told, _of_real(loss)) for told, loss in LOSS_SLIPS.items()),
    ],
)
