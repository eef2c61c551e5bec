"""Exercise 8.8: ``nucleus``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake

# nucleus ------------------------------------------------------------------------------------------


def _distributions_to_cut() -> Inputs:
    yield {"probs": torch.tensor([[0.25, 0.5, 0.125, 0.125]]), "top_p": 0.6}
    yield {"probs": torch.tensor([[0.9, 0.1], [0.3, 0.7]]), "top_p": 0.5}
    generator = torch.Generator().manual_seed(5)
    for top_p in (0.2, 0.7, 0.95, 1.0):
        logits = 2 * torch.randn(3, 6, generator=generator)
        yield {"probs": logits.softmax(-1), "top_p": top_p}


def _nucleus(
    probs: Tensor, top_p: float, rest: bool = True, crossing: bool = True, order: str = "down"
) -> Tensor:
    ranked, places = probs.sort(-1, descending=order == "down")
    if order == "none":
        ranked, places = probs, torch.arange(probs.shape[-1]).expand(probs.shape)
    before = ranked.cumsum(-1) - (ranked if crossing else 0)
    kept = ranked.masked_fill(before >= top_p if crossing else before > top_p, 0.0)
    back = torch.zeros_like(probs).scatter(-1, places, kept)
    return back / back.sum(-1, keepdim=True) if rest else back


def _sums_to_one(call: Call) -> str | None:
    sums = call.result.sum(-1)
    if bool((sums - 1).abs().max() < 1e-4):
        return None
    return (
        f"A row sums to {float(sums[(sums - 1).abs().argmax()]):.3g}. What is kept must become a "
        "distribution again before one can draw from it."
    )


def _keeps_the_best(call: Call) -> str | None:
    got = call(probs=torch.tensor([[0.1, 0.75, 0.15]]), top_p=0.5)
    if abs(float(got[0, 1]) - 1) < 1e-4:
        return None
    return (
        f"Of (0.1, 0.75, 0.15) with top_p = 0.5 it makes {[round(x, 3) for x in got[0].tolist()]}. "
        "The token of 0.75 alone reaches 0.5, so it is the whole nucleus: is the token that "
        "crosses the line kept, and nothing after it?"
    )


def _all_of_it(call: Call) -> str | None:
    if torch.allclose(call(top_p=1.0), call.probs, atol=1e-4):
        return None
    return "With top_p = 1 every token stays, and nothing changes."


CHECK = Exercise(
    "nucleus",
    reference=lambda probs, top_p: _nucleus(probs, top_p),
    inputs=_distributions_to_cut,
    rules={
        "what is kept sums to 1": _sums_to_one,
        "the token that crosses the line is the last one kept": _keeps_the_best,
        "top_p = 1 keeps everything": _all_of_it,
    },
    mistakes=[
        Mistake(
            "What is kept is not divided by its sum: it must become a distribution again.",
            lambda probs, top_p: _nucleus(probs, top_p, rest=False),
        ),
        Mistake(
            "The token that crosses the line is thrown away. The nucleus *reaches* top_p, so that "
            "token is its last member; else a token of 0.9 could not be kept at all.",
            lambda probs, top_p: _nucleus(probs, top_p, crossing=False),
        ),
        Mistake(
            "The sum runs over the tokens in the order of the vocabulary. Sort them first: the "
            "nucleus begins with the most probable.",
            lambda probs, top_p: _nucleus(probs, top_p, order="none"),
        ),
        Mistake(
            "The sum runs from the least probable token upwards. The nucleus begins with the most "
            "probable.",
            lambda probs, top_p: _nucleus(probs, top_p, order="up"),
        ),
        Mistake(
            "Tokens are kept whose own probability is at least 1 − top_p. The nucleus is a sum: "
            "many small tokens can belong to it.",
            lambda probs, top_p: _thresholded(probs, 1 - top_p),
        ),
        Mistake(
            "The result is sorted. Every token keeps its place in the vocabulary.",
            lambda probs, top_p: _nucleus(probs, top_p).sort(-1, descending=True).values,
        ),
    ],
)


def _thresholded(probs: Tensor, least: float) -> Tensor:
    kept = probs.masked_fill(probs < least, 0.0)
    return kept / kept.sum(-1, keepdim=True)
