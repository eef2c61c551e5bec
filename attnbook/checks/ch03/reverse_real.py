"""Exercise 3.5: ``reverse_real``."""

from __future__ import annotations

import torch

import attnlib
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake
from attnlib import masking


def _rows() -> Inputs:
    yield {
        "x": torch.tensor([[[1.0], [2.0], [3.0], [0.0]]]),
        "mask": torch.tensor([[True, True, True, False]]),
    }
    make = normal(4)
    yield {"x": make(2, 4, 2), "mask": masking.lengths_to_mask(torch.tensor([4, 2]))}
    yield {"x": make(3, 6, 3), "mask": masking.lengths_to_mask(torch.tensor([1, 5, 3]), 6)}


def _undoes_itself(call: Call) -> str | None:
    again = call(x=call.result)
    if torch.allclose(again, call.x):
        return None
    return "Reversed twice it is not what it was before. Has something been lost or moved?"


CHECK = Exercise(
    "reverse_real",
    reference=attnlib.model.reverse_real,
    inputs=_rows,
    rules={"reversed twice it is as before": _undoes_itself},
    mistakes=[
        Mistake(
            "The whole row is reversed, so that padding comes first. Only the real tokens change "
            "places.",
            lambda x, mask: x.flip(1),
        ),
        Mistake(
            "The whole row is reversed and then the padding's places are blanked: some real tokens "
            "are gone.",
            lambda x, mask: x.flip(1) * mask.unsqueeze(-1),
        ),
        Mistake(
            "The features of each token are reversed, not the order of the tokens.",
            lambda x, mask: x.flip(-1),
        ),
        Mistake(
            "One position too far: position 0 takes its token from position n − 1.",
            lambda x, mask: x.gather(
                1,
                torch.where(
                    mask,
                    (mask.sum(1, keepdim=True) - torch.arange(x.shape[1])).clamp(0, x.shape[1] - 1),
                    torch.arange(x.shape[1]),
                )
                .unsqueeze(-1)
                .expand_as(x),
            ),
        ),
        Mistake(
            "The real tokens are right; the padding is not as it was. It stays where it stands.",
            lambda x, mask: attnlib.model.reverse_real(x, mask).masked_fill(
                ~mask.unsqueeze(-1), 0.0
            ),
        ),
        Mistake("Nothing has been reversed.", lambda x, mask: x),
    ],
)
