"""Exercise 7.7: ``masked_cross_entropy``."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from attnbook.checks.ch07.shared import generator
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake
from attnlib.training import masked_cross_entropy, token_cross_entropy


def _padded_losses() -> Inputs:
    yield {
        "logits": torch.tensor([[[0.0, 2.0], [5.0, 0.0]]]),
        "targets": torch.tensor([[1, 0]]),
        "mask": torch.tensor([[True, False]]),
        "label_smoothing": 0.0,
    }
    for seed, smoothing in ((1, 0.0), (2, 0.1)):
        draw = generator(seed)
        mask = torch.arange(5) < torch.tensor([[5], [1], [3]])
        targets = torch.randint(1, 6, (3, 5), generator=draw).masked_fill(~mask, 0)
        yield {
            "logits": 2 * torch.randn(3, 5, 6, generator=draw),
            "targets": targets,
            "mask": mask,
            "label_smoothing": smoothing,
        }


def _rows_then_mean(
    logits: Tensor, targets: Tensor, mask: Tensor, label_smoothing: float = 0.0
) -> Tensor:
    rows = [
        token_cross_entropy(x[m], y[m], label_smoothing) for x, y, m in zip(logits, targets, mask)
    ]
    return torch.stack(rows).mean()


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


def _every_token_alike(call: Call) -> str | None:
    logits = torch.zeros(2, 3, 2)
    logits[0, 0, 0] = 3.0  # the token of the short sentence is nearly certain
    mask = torch.tensor([[True, False, False], [True, True, True]])
    found = float(
        call(logits=logits, targets=torch.zeros(2, 3).long(), mask=mask, label_smoothing=0.0)
    )
    right = (math.log(1 + math.exp(-3)) + 3 * math.log(2)) / 4
    if abs(found - right) < 1e-4:
        return None
    return (
        f"A sentence of 1 token and one of 3 have together {right:.3f} nats per token, not "
        f"{found:.3f}. Every token weighs the same, whatever sentence it is in."
    )


CHECK = Exercise(
    "masked_cross_entropy",
    reference=lambda logits, targets, mask, label_smoothing=0.0: masked_cross_entropy(
        logits, targets, mask, label_smoothing
    ),
    inputs=_padded_losses,
    rules={
        "what is predicted at padding does not count": _padding_logits,
        "more columns of padding change nothing": _more_padding,
        "every real token weighs the same": _every_token_alike,
    },
    mistakes=[
        Mistake(
            "Padding is counted like any other word. Which positions does the mask mark?",
            lambda logits, targets, mask, label_smoothing=0.0: token_cross_entropy(
                logits.flatten(0, 1), targets.flatten(), label_smoothing
            ),
        ),
        Mistake(
            "The losses at padding are 0 now, but the sum is still divided by all positions. "
            "Divide by the number of real tokens.",
            lambda logits, targets, mask, label_smoothing=0.0: (
                token_cross_entropy(logits[mask], targets[mask], label_smoothing)
                * mask.sum()
                / mask.numel()
            ),
        ),
        Mistake(
            "This is the mean of the sentences' means: the token of a short sentence weighs more "
            "than that of a long one. Every token weighs the same.",
            _rows_then_mean,
        ),
        Mistake(
            "The mask is the wrong way round: True marks a real token.",
            lambda logits, targets, mask, label_smoothing=0.0: token_cross_entropy(
                logits[~mask], targets[~mask], label_smoothing
            ),
        ),
        Mistake(
            "The smoothing is left out: ε is an argument, too.",
            lambda logits, targets, mask, label_smoothing=0.0: token_cross_entropy(
                logits[mask], targets[mask]
            ),
        ),
        Mistake(
            "This is the sum over the tokens; the loss is per token.",
            lambda logits, targets, mask, label_smoothing=0.0: (
                token_cross_entropy(logits[mask], targets[mask], label_smoothing) * mask.sum()
            ),
        ),
    ],
)
