"""What checks of chapter 5 share."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import first_for_all, same
from attnbook.exercises import Call, Mistake
from attnbook.exercises.values import shown

Decoder = Callable[..., Any]


def cat(*parts: Tensor) -> Tensor:
    return torch.cat(parts, dim=-1)


def softmax(x: Tensor) -> Tensor:
    return x.softmax(-1)


def own_key_only(call: Call) -> str | None:
    touched = call.keys.detach().clone()
    touched[:, 0] += 1.0
    if torch.allclose(call(keys=touched)[..., 1:], call.result[..., 1:], atol=1e-5):
        return None
    return "When the first key changes, the scores of the other keys change as well."


def slips(score: Callable[..., Tensor]) -> list[Mistake]:
    """What goes wrong around a score of pairs, whatever the score is."""

    def slip(after: Any = same, of_keys: Any = same) -> Callable[..., Tensor]:
        @functools.wraps(score)
        def wrong(query: Tensor, keys: Tensor, *rest: Tensor, **named: Tensor) -> Tensor:
            return after(score(query, of_keys(keys), *rest, **named))  # type: ignore[no-any-return]

        return wrong

    return [
        (
            "Rows are keys and columns are queries here: query t belongs in row t.",
            slip(lambda scores: scores.transpose(1, 2)),
        ),
        ("These are weights: a score is what goes into the softmax.", slip(softmax)),
        (
            "The keys of the first sentence serve all sentences: sentence b has keys[b].",
            slip(of_keys=first_for_all),
        ),
    ]


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
