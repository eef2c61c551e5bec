"""What checks of chapter 5 share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.exercises import Call
from attnbook.exercises.values import shown


def cat(*parts: Tensor) -> Tensor:
    return torch.cat(parts, dim=-1)


Decoder = Callable[..., Any]


def by_hand(steps: Callable[..., str]) -> Callable[[Call], str | None]:
    """A rule that computes the first number which is wrong before the learner's eyes.

    ``steps`` is given the call and the number's place, and says in half a sentence how it comes
    about.
    """

    def rule(call: Call) -> str | None:
        got, right = (x.detach().double() for x in (call.result, call.expected))
        wrong = ~torch.isclose(got, right, rtol=1e-4, atol=1e-4)
        if not bool(wrong.any()):
            return None
        at = wrong.nonzero()[0].tolist()
        stands = shown(got[tuple(at)].item())
        where = f"At {at} stands {stands}" if at else f"{stands} is returned"
        return f"{where}. By hand: {steps(call, *at)}."

    return rule
