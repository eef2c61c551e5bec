"""Exercise 8.5: ``nucleus``."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs
from attnbook.checks.mistakes import first_for_all
from attnbook.exercises import Call, Exercise


def nucleus(probs: Any, top_p: Any) -> Any:
    """The smallest set of tokens that reaches top_p, as distributions again. probs (N, V)."""
    ranked, places = probs.sort(-1, descending=True)
    kept = ranked.masked_fill(ranked.cumsum(-1) - ranked >= top_p, 0.0)
    kept = torch.zeros_like(probs).scatter(-1, places, kept)
    return kept / kept.sum(-1, keepdim=True)


def _distributions_to_cut() -> Inputs:
    yield {"probs": torch.tensor([[0.25, 0.5, 0.125, 0.125]]), "top_p": 0.6}
    yield {"probs": torch.tensor([[0.5, 0.125, 0.25, 0.0625, 0.0625]]), "top_p": 0.75}  # exactly
    yield {"probs": torch.tensor([[0.9, 0.1], [0.3, 0.7]]), "top_p": 0.5}
    yield {"probs": torch.tensor([[0.1, 0.75, 0.15]]), "top_p": 0.5}
    generator = torch.Generator().manual_seed(5)
    for top_p in (0.2, 0.7, 0.95, 1.0):
        logits = 2 * torch.randn(3, 6, generator=generator)
        yield {"probs": logits.softmax(-1), "top_p": top_p}


def _sums_to_one(call: Call) -> str | None:
    sums = call.result.sum(-1)
    if bool((sums - 1).abs().max() < 1e-4):
        return None
    return (
        f"A row sums to {float(sums[(sums - 1).abs().argmax()]):.3g}. What is kept must become a "
        "distribution again before you can draw from it."
    )


def _the_most_probable(call: Call) -> str | None:
    for row, probs in enumerate(call.probs):
        kept = call.result[row] > 0
        if bool(kept.any()) and bool((~kept & (probs > 0)).any()):
            least, out = probs[kept].min(), probs[~kept].max()
            if out > least + 1e-6:
                return (
                    f"Row {row} keeps a token of {float(least):.3g} but drops one of "
                    f"{float(out):.3g}: the most probable come first, and each keeps its place in "
                    "the vocabulary."
                )
    return None


def _smallest_set(call: Call) -> str | None:
    for row, probs in enumerate(call.probs):
        kept = probs[call.result[row] > 0]
        message = f"Row {row} keeps {len(kept)} tokens, which together have {float(kept.sum()):.3g}"
        if float(kept.sum()) < call.top_p - 1e-5:
            return (
                f"{message}. That does not reach top_p = {call.top_p:g}: keep the token that "
                "reaches it as well."
            )
        if len(kept) > 1 and (without := float(kept.sum() - kept.min())) > call.top_p - 1e-7:
            return (
                f"{message}. Without the least probable of them, the others have {without:.3g}, "
                f"which reaches top_p = {call.top_p:g}: drop that one."
            )
    return None


def _ties(call: Call) -> str | None:
    result = call.without_comparison(probs=torch.tensor([[0.25, 0.25, 0.25, 0.25]]), top_p=0.5)
    kept = int((result > 0).sum())
    if kept == 2:
        return None
    return (
        f"Of four tokens of 0.25 with top_p = 0.5 you keep {kept}. Any two of them reach 0.5; an "
        "equal probability alone is no reason to keep another."
    )


def _without(left_out: Callable[[Tensor, Tensor, float], Tensor]) -> Callable[..., Tensor]:
    """Ranked tokens are left out by their probabilities, the sums up to each, and top_p."""

    def wrong(probs: Tensor, top_p: float) -> Tensor:
        ranked, places = probs.sort(-1, descending=True)
        kept = ranked.masked_fill(left_out(ranked, ranked.cumsum(-1), top_p), 0.0)
        kept = torch.zeros_like(probs).scatter(-1, places, kept)
        return kept / kept.sum(-1, keepdim=True)

    return wrong


CHECK = Exercise(
    nucleus,
    inputs=_distributions_to_cut,
    rules={
        "the most probable tokens are kept, in their places": _the_most_probable,
        "the tokens that are kept are the fewest that reach top_p together": _smallest_set,
        "what is kept sums to 1": _sums_to_one,
        "ties do not make the nucleus larger": _ties,
    },
    varied=False,  # probabilities sum to 1
    gradients=(),  # words are drawn; nothing goes back through that
    mistakes={
        "You drop the token that crosses the line. The nucleus *reaches* top_p, so that token is "
        "its last member; otherwise a token of 0.9 could never be kept.": [
            _without(lambda ranked, through, top_p: through > top_p),
            _without(lambda ranked, through, top_p: through >= top_p),
        ],
        "You keep tokens by their own probability. The nucleus is a sum: several small tokens can "
        "reach top_p together.": [
            _without(lambda ranked, through, top_p: ranked < top_p),
            _without(lambda ranked, through, top_p: ranked < 1 - top_p),
            _without(lambda ranked, through, top_p: ranked <= 1 - top_p),
        ],
        "Every row keeps as many tokens as the first row. Each row has its own nucleus.": (
            _without(lambda ranked, through, top_p: first_for_all(through - ranked >= top_p))
        ),
        "The sum runs from the least probable token upward. The nucleus begins with the most "
        "probable.": _without(lambda ranked, through, top_p: through[:, -1:] - through >= top_p),
        "A softmax of what is kept also gives something to the dropped tokens, because e⁰ = 1. "
        "Divide what is kept by its sum.": (
            lambda probs, top_p: probs.masked_fill(nucleus(probs, top_p) == 0, 0.0).softmax(-1)
        ),
        "The result is sorted. Every token keeps its place in the vocabulary.": (
            lambda probs, top_p: nucleus(probs, top_p).sort(-1, descending=True).values
        ),
    },
)
