"""Exercise 11.3: ``decoder_mask``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs
from attnbook.exercises import Exercise, Mistake


def _past(real: Tensor, diagonal: int = 0) -> Tensor:
    steps = real.shape[1]
    return torch.ones(steps, steps, dtype=torch.bool, device=real.device).tril(diagonal)


def _real() -> Inputs:
    yield {"real": torch.tensor([[True, True]])}
    yield {"real": torch.tensor([[True, True, True], [True, False, False]])}
    yield {"real": torch.tensor([[True] * 5, [True] * 3 + [False] * 2, [True] + [False] * 4])}


CHECK = Exercise(
    "decoder_mask",
    reference=lambda real: real.unsqueeze(1) & _past(real),
    inputs=_real,
    rules={
        "the first position sees itself": lambda call: (
            None
            if bool(call.result[:, 0, 0].all())
            else "The first position may attend to nothing, not even to itself. With what would "
            "it start?"
        ),
    },
    mistakes=[
        Mistake(
            "This is the other way round: True marks what may be attended, and here it marks what "
            "may not.",
            lambda real: ~(real.unsqueeze(1) & _past(real)),
        ),
        Mistake(
            "Every position sees the words *after* it: rows are t, columns j, and j ≤ t is on and "
            "below the diagonal.",
            lambda real: real.unsqueeze(1) & _past(real).T,
        ),
        Mistake(
            "The diagonal is missing: position t may attend to itself, it is the last word read.",
            lambda real: real.unsqueeze(1) & _past(real, -1),
        ),
        Mistake(
            "Padding may be attended: the future is hidden, the padding is not.",
            lambda real: _past(real).unsqueeze(0).expand(len(real), -1, -1),
        ),
        Mistake(
            "The padding is hidden, the future is not.",
            lambda real: real.unsqueeze(1).expand(-1, real.shape[1], -1),
        ),
        Mistake(
            "The padding was taken out of the rows, not of the columns: the question is which "
            "positions may be *looked at*, and those are the columns j.",
            lambda real: real.unsqueeze(2) & _past(real),
        ),
    ],
)
