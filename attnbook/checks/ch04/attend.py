"""Exercise 4.7: ``attend``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake
from attnlib.model import DotAttention


def _batch() -> Inputs:
    yield {
        "query": torch.tensor([[[1.0, 0.0]]]),
        "keys": torch.tensor([[[2.0, 0.0], [0.0, 1.0], [3.0, 3.0]]]),
        "values": torch.tensor([[[1.0, 0.0], [0.0, 1.0], [7.0, 7.0]]]),
        "mask": torch.tensor([[True, True, False]]),
    }
    make = normal(4)
    mask = torch.arange(5) < torch.tensor([[5], [3], [1]])
    yield {"query": make(2, 3, 3), "keys": make(2, 3, 3), "values": make(2, 3, 3), "mask": None}
    yield {"query": make(3, 5, 4), "keys": make(3, 5, 4), "values": make(3, 5, 4), "mask": mask}
    yield {"query": make(3, 2, 4), "keys": make(3, 5, 4), "values": make(3, 5, 6), "mask": mask}


def _padding_has_none(call: Call) -> str | None:
    if call.mask is None:
        return None
    on_padding = float(call.result[1].masked_fill(call.mask.unsqueeze(1), 0.0).abs().max())
    if on_padding == 0.0:
        return None
    return (
        f"An entry that is not there has weight {on_padding:.2f}. Is True taken for 'real', and "
        "does the mask come before the softmax?"
    )


def _weights_sum_to_one(call: Call) -> str | None:
    worst = max(call.result[1].sum(-1).flatten().tolist(), key=lambda total: abs(total - 1))
    if abs(worst - 1) < 1e-4:
        return None
    return (
        f"The weights of a query sum to {worst:.2f}, not to 1. Over which dimension does the "
        "softmax run, and does the mask come before it?"
    )


def _attend(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Any:
    size = query.shape[-1]
    return DotAttention(size, size)(query, keys, values, mask)


def _attends(weigh: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Any]:
    """Attention whose weights are made otherwise, from scores and a mask (B, 1, S)."""

    def wrong(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Any:
        scores = query @ keys.transpose(1, 2)
        real = torch.ones(scores.shape[0], 1, scores.shape[2], dtype=torch.bool)
        weights = weigh(scores, real if mask is None else mask.unsqueeze(1))
        return weights @ values, weights

    return wrong


CHECK = Exercise(
    "attend",
    reference=_attend,
    inputs=_batch,
    rules={
        "an entry that is not there has weight 0": _padding_has_none,
        "the weights of a query sum to 1": _weights_sum_to_one,
    },
    mistakes=[
        Mistake(
            "The mask is not used: entries that are not there get weight.",
            _attends(lambda scores, mask: scores.softmax(-1)),
        ),
        Mistake(
            "The mask is the wrong way round: True marks what is real, and masked_fill fills "
            "where True.",
            lambda query, keys, values, mask: _attends(
                lambda scores, real: scores.masked_fill(
                    torch.zeros_like(real) if mask is None else real, -torch.inf
                ).softmax(-1)
            )(query, keys, values, mask),
        ),
        Mistake(
            "A score of 0 is a score like any other, e⁰ = 1. Which score does the softmax turn "
            "into 0?",
            _attends(lambda scores, mask: scores.masked_fill(~mask, 0.0).softmax(-1)),
        ),
        Mistake(
            "The mask comes after the softmax: what is left no longer sums to 1.",
            _attends(lambda scores, mask: scores.softmax(-1) * mask),
        ),
        Mistake(
            "The softmax runs over the queries. It must run over the keys, the last dimension.",
            _attends(lambda scores, mask: scores.masked_fill(~mask, -torch.inf).softmax(1)),
        ),
        Mistake(
            "The scores are divided by √H. That is the scaled dot product of chapter 6; here the "
            "bare one is asked for.",
            lambda query, keys, values, mask: _attend(
                query / query.shape[-1] ** 0.5, keys, values, mask
            ),
        ),
        Mistake(
            "The scores are cosines: the lengths of query and keys are lost, and with them the "
            "temperature.",
            lambda query, keys, values, mask: _attend(
                torch.nn.functional.normalize(query, dim=-1),
                torch.nn.functional.normalize(keys, dim=-1),
                values,
                mask,
            ),
        ),
        Mistake(
            "Weights and context are exchanged: the context comes first.",
            lambda query, keys, values, mask: _attend(query, keys, values, mask)[::-1],
        ),
        Mistake(
            "The keys are added up, not the values.",
            lambda query, keys, values, mask: _attend(query, keys, keys, mask),
        ),
    ],
)
