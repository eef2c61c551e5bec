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


def last_step(x: Tensor) -> Tensor:
    return x[:, -1:].expand_as(x)


def mean_step(x: Tensor) -> Tensor:
    return x.mean(1, keepdim=True).expand_as(x)


def softmax(x: Tensor) -> Tensor:
    return x.softmax(-1)


def unit(x: Tensor) -> Tensor:
    """Brought to length 1."""
    return torch.nn.functional.normalize(x, dim=-1)


def all_sentences(x: Tensor) -> Tensor:
    """The sum over the batch, for every sentence."""
    return x.sum(0, keepdim=True).expand_as(x)


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
        *each(
            slip,
            (
                "Rows are keys and columns are queries here: query t belongs in row t.",
                lambda scores: scores.transpose(1, 2),
            ),
            ("These are weights: a score is what goes into the softmax.", softmax),
            (
                "These are weights, and they sum to 1 over the queries: a score is what goes into "
                "the softmax.",
                lambda scores: scores.softmax(1),
            ),
            (
                "These are logarithms of weights: a score is what goes into the softmax.",
                lambda scores: scores.log_softmax(-1),
            ),
            *told(
                "Only the scores of the last query come back; all T are asked for.",
                lambda scores: scores[:, -1:],
                lambda scores: scores[:, -1],
            ),
            ("A dimension is left over: the scores are (B, T, S).", lambda x: x.unsqueeze(-1)),
        ),
        *each(
            lambda change: slip(query=change),
            (
                "The scores of the first query stand for every query: every row shows its scores.",
                first_step,
            ),
            (
                "The scores of the last query stand for every query: every row shows its scores.",
                last_step,
            ),
            *told(
                "All queries are compared at once, as a sum or mean: query t has row t to itself.",
                mean_step,
                lambda query: query.sum(1, keepdim=True).expand_as(query),
            ),
            (
                "The queries of the first sentence serve all sentences: sentence b has query[b].",
                first_for_all,
            ),
        ),
        *each(
            lambda change: slip(keys=change),
            ("Only the first key is compared: every column shows its scores.", first_step),
            (
                "The mean of all keys is compared with the query: key s has column s to itself.",
                mean_step,
            ),
            ("The keys of all sentences are added up: each sentence has its own.", all_sentences),
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
