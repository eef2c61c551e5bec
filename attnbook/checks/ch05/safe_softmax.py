"""Exercise 5.3: ``safe_softmax``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _scores_and_mask() -> Inputs:
    yield {
        "scores": torch.tensor([1.0, 1.0, 3.0]),
        "mask": torch.tensor([True, True, False]),
    }
    yield {
        "scores": torch.tensor([[-2.0, -3.0, 0.0], [2.0, 1.0, 0.5]]),
        "mask": torch.tensor([[True, True, False], [True, True, True]]),
    }
    yield {
        "scores": torch.tensor([[1.0, 2.0, 0.5], [1.0, 2.0, 3.0]]),
        "mask": torch.tensor([[True, False, True], [False, False, False]]),
    }
    make = normal(2)
    mask = torch.arange(6) < torch.tensor([[[6]], [[4]], [[1]]])
    yield {"scores": make(3, 2, 6), "mask": mask.expand(3, 2, 6)}
    yield {"scores": 300 * make(3, 2, 6), "mask": mask.expand(3, 2, 6)}


def _no_weight_on_padding(call: Call) -> str | None:
    on_padding = float(call.result.nan_to_num().masked_fill(call.mask, 0.0).abs().max())
    if on_padding == 0.0:
        return None
    return (
        f"A forbidden position has weight {on_padding:.2f}. Is True taken for 'allowed', and is "
        "the mask applied before the softmax, with a number that the softmax turns into 0?"
    )


def _shares_one(call: Call) -> str | None:
    for mask, row in zip(call.mask.reshape(-1, call.mask.shape[-1]), _rows(call.result)):
        if bool(mask.any()) and abs(float(row[mask].sum()) - 1) > 1e-4:
            return (
                f"The weights of the allowed positions sum to {float(row[mask].sum()):.2f}, not "
                "to 1. Who has the rest?"
            )
    return None


def _empty_row(call: Call) -> str | None:
    result = call(mask=torch.zeros_like(call.mask))
    if bool(result.isnan().any()):
        return "A row in which nothing is allowed becomes NaN (0/0). It should be all zeros."
    if float(result.abs().max()) > 0:
        return (
            f"A row in which nothing is allowed gets weights of {float(result.max()):.2f}. "
            "It should be all zeros."
        )
    return None


def _half(call: Call) -> str | None:
    scores = call.scores.half()
    problem = call.error(scores=scores)
    if problem is not None:
        return (
            "In half precision it fails: is there a number beyond 65504, such as −10⁹? "
            "Ask torch.finfo(scores.dtype) for the smallest."
        )
    return None if torch.isfinite(call(scores=scores)).all() else "In half precision it is NaN."


def _safe_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    weights = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(-1)
    return weights.masked_fill(~mask, 0.0)


def _zero_scores(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(~mask, 0.0).softmax(-1)


def _infinite(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(~mask, -torch.inf).softmax(-1)


CHECK = Exercise(
    "safe_softmax",
    reference=_safe_softmax,
    inputs=_scores_and_mask,
    rules={
        "a forbidden position has weight exactly 0": _no_weight_on_padding,
        "the allowed positions share 1": _shares_one,
        "a row with nothing allowed is all zeros": _empty_row,
        "it works in half precision": _half,
    },
    mistakes=[
        Mistake(
            "A score of 0 is a score like any other: e⁰ = 1, so padding still gets a weight. "
            "Which score does the softmax turn into 0?",
            _zero_scores,
        ),
        Mistake(
            "The mask comes after the softmax: padding has 0 now, but it has taken its share of "
            "the sum along, and what is left no longer sums to 1.",
            lambda scores, mask: scores.softmax(-1) * mask,
        ),
        Mistake(
            "The mask is the wrong way round: True marks what may be attended, and masked_fill "
            "fills where True.",
            lambda scores, mask: _safe_softmax(scores, ~mask),
        ),
        Mistake(
            "The mask is the wrong way round: True marks what may be attended, and masked_fill "
            "fills where True. (And a row of −∞ alone becomes NaN.)",
            lambda scores, mask: _infinite(scores, ~mask),
        ),
        Mistake(
            "A row in which nothing is allowed becomes NaN (0/0): take the smallest finite number "
            "instead of −∞, and fill once more after the softmax.",
            _infinite,
        ),
        Mistake(
            "Scores of 0 and below are lost: dividing by the sum is not the softmax. "
            "Where is the exponential?",
            lambda scores, mask: (scores * mask) / (scores * mask).sum(-1, keepdim=True),
        ),
    ],
)


def _rows(tensor: Tensor) -> Tensor:
    return tensor.reshape(-1, tensor.shape[-1])
