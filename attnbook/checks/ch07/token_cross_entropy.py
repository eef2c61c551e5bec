"""Exercise 7.6: ``token_cross_entropy``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.ch07.shared import generator
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake
from attnlib.training import token_cross_entropy

# 7.6 and 7.7 -------------------------------------------------------------------------------------


def _token_losses() -> Inputs:
    logits, targets = torch.tensor([[0.0, 2.0]]), torch.tensor([0])
    yield {"logits": logits, "targets": targets, "label_smoothing": 0.0}
    yield {"logits": logits, "targets": targets, "label_smoothing": 0.2}
    for seed, smoothing in ((1, 0.0), (2, 0.1), (3, 0.3)):
        draw = generator(seed)
        yield {
            "logits": 2 * torch.randn(6, 5, generator=draw),
            "targets": torch.randint(5, (6,), generator=draw),
            "label_smoothing": smoothing,
        }


def _plain(logits: Tensor, targets: Tensor) -> Tensor:
    return -logits.log_softmax(-1).gather(1, targets.unsqueeze(1)).squeeze(1)


def _shared_with_others(logits: Tensor, targets: Tensor, label_smoothing: float) -> Tensor:
    """ε goes to the V − 1 wrong words alone."""
    log_probs, hit = logits.log_softmax(-1), _plain(logits, targets)
    others = (-log_probs.sum(-1) - hit) / (logits.shape[1] - 1)
    return ((1 - label_smoothing) * hit + label_smoothing * others).mean()


def _any_offset(call: Call) -> str | None:
    moved = call(logits=call.logits + 50.0)
    if torch.allclose(moved, call.result, atol=1e-3):
        return None
    return (
        "Adding 50 to all logits changes the loss. Logits are what goes *into* the softmax: "
        "log_softmax first."
    )


def _large_logits(call: Call) -> str | None:
    loss = call(logits=torch.tensor([[0.0, 300.0]]), targets=torch.tensor([0]), label_smoothing=0.0)
    if torch.isfinite(loss):
        return None
    return (
        "With logits 0 and 300 the loss is infinite: softmax gave exactly 0, and its log is −∞. "
        "log_softmax does both at once."
    )


CHECK = Exercise(
    "token_cross_entropy",
    reference=lambda logits, targets, label_smoothing=0.0: token_cross_entropy(
        logits, targets, label_smoothing
    ),
    inputs=_token_losses,
    rules={
        "only differences of logits count": _any_offset,
        "a word with probability almost 0 has a large loss, not an infinite one": _large_logits,
    },
    mistakes=[
        Mistake(
            "The smoothing is left out: ε of the target's weight goes to all V words.",
            lambda logits, targets, label_smoothing=0.0: _plain(logits, targets).mean(),
        ),
        Mistake(
            "ε is shared among the *other* words only. Here, as in torch, every word gets ε / V, "
            "the right one included.",
            _shared_with_others,
        ),
        Mistake(
            "The part for all words is summed over the vocabulary. Each word gets ε / V: take the "
            "mean.",
            lambda logits, targets, label_smoothing=0.0: (
                (1 - label_smoothing) * _plain(logits, targets)
                - label_smoothing * logits.log_softmax(-1).sum(-1)
            ).mean(),
        ),
        Mistake(
            "This is the sum over the tokens. Their mean does not depend on how many there are.",
            lambda logits, targets, label_smoothing=0.0: (
                token_cross_entropy(logits, targets, label_smoothing) * len(targets)
            ),
        ),
        Mistake(
            "The sign is missing: log-probabilities are negative, a loss is not.",
            lambda logits, targets, label_smoothing=0.0: (
                -token_cross_entropy(logits, targets, label_smoothing)
            ),
        ),
        Mistake(
            "ε and 1 − ε are swapped: most of the weight belongs to the right word.",
            lambda logits, targets, label_smoothing=0.0: token_cross_entropy(
                logits, targets, 1 - label_smoothing - 1e-9
            ),
        ),
    ],
)
