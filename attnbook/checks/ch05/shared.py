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


def first_step(x: Tensor) -> Tensor:
    """What the first step of a sentence has (a query, a key, a state), for every step."""
    return x[:, :1].expand_as(x)


def mean_step(x: Tensor) -> Tensor:
    return x.mean(1, keepdim=True).expand_as(x)


def softmax(x: Tensor) -> Tensor:
    return x.softmax(-1)


def each(wrong: Callable[[Any], Any], *parts: tuple[str, Any], end: str = "") -> list[Mistake]:
    """Mistakes that are alike but for one part: ``wrong`` makes the function from that part.

    ``end`` is what all of their sentences end with.
    """
    return [(told + end, wrong(part)) for told, part in parts]


def told(sentence: str, *functions: Any) -> list[Mistake]:
    """Several functions of which the same sentence is true."""
    return [(sentence, function) for function in functions]


def own_key_only(call: Call) -> str | None:
    touched = call.keys.detach().clone()
    touched[:, 0] += 1.0
    if torch.allclose(call(keys=touched)[..., 1:], call.result[..., 1:], atol=1e-5):
        return None
    return "When the first key changes, the scores of the other keys change as well."


def slips(score: Callable[..., Tensor]) -> list[Mistake]:
    """What goes wrong around a score of pairs, whatever the score is."""

    def slip(after: Any = same, query: Any = same, keys: Any = same) -> Callable[..., Tensor]:
        before = {"query": query, "keys": keys}

        @functools.wraps(score)
        def wrong(query: Tensor, keys: Tensor, *rest: Tensor, **named: Tensor) -> Tensor:
            query, keys = before["query"](query), before["keys"](keys)
            return after(score(query, keys, *rest, **named))  # type: ignore[no-any-return]

        return wrong

    return [
        (
            "Rows are keys and columns are queries here: query t belongs in row t.",
            slip(lambda scores: scores.transpose(1, 2)),
        ),
        ("These are weights: a score is what goes into the softmax.", slip(softmax)),
        (
            "The scores of the first query stand for every query: every row shows its scores.",
            slip(query=first_step),
        ),
        *told(
            "All queries are compared at once, as a sum or mean: query t has row t to itself.",
            slip(query=mean_step),
            slip(query=lambda query: query.sum(1, keepdim=True).expand_as(query)),
        ),
        (
            "The keys of the first sentence serve all sentences: sentence b has keys[b].",
            slip(keys=first_for_all),
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
