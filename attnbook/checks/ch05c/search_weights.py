"""Exercise 5.8: ``search_weights``."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from attnbook.checks.attention import Decoder
from attnbook.checks.inputs import Inputs, normal
from attnbook.exercises import Call, Exercise, Function


def search_weights(
    logits_of: Decoder, word: Tensor, allowed: Tensor, steps: int, rate: float
) -> Tensor:
    """Weights (R, S), 0 where not allowed, searched so that logits_of(weights) prefers word."""
    scores = torch.zeros(allowed.shape, requires_grad=True)
    optimizer = torch.optim.Adam([scores], lr=rate)
    for _ in range(steps):
        weights = scores.masked_fill(~allowed, -torch.inf).softmax(-1)
        loss = F.cross_entropy(logits_of(weights), word, reduction="sum")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return scores.detach().masked_fill(~allowed, -torch.inf).softmax(-1)


def _logits(seed: int, rows: int, places: int, words: int) -> Callable[[Tensor], Tensor]:
    """Logits (R, V) of weights (R, S): of the mean of some states."""
    make = normal(seed)
    states, output = make(rows, places, 4), make(4, words)

    def logits_of(weights: Tensor) -> Tensor:
        return (weights.unsqueeze(1) @ states).squeeze(1) @ output

    return logits_of


def _searches() -> Inputs:
    yield {
        "logits_of": lambda weights: 2 * weights,
        "word": torch.tensor([1]),
        "allowed": torch.tensor([[True, True]]),
        "steps": 1,
        "rate": 0.5,
    }
    for seed, (rows, places, words, steps, rate) in enumerate(
        [(2, 3, 4, 2, 0.3), (3, 5, 4, 6, 0.3), (4, 4, 6, 12, 0.1)]
    ):
        allowed = torch.ones(rows, places, dtype=torch.bool)
        allowed[0, 0] = allowed[1, -1] = False
        yield {
            "logits_of": _logits(40 + seed, rows, places, words),
            "word": torch.arange(rows) % words,
            "allowed": allowed,
            "steps": steps,
            "rate": rate,
        }


def _only_allowed(call: Call) -> str | None:
    for row, place in ((call.result.abs() > 1e-6) & ~call.allowed).nonzero().tolist():
        return (
            f"In row {row}, position {place} is not allowed but gets "
            f"{float(call.result[row, place]):.3g}. A score of −∞ before the softmax becomes a "
            "weight of 0."
        )
    return None


def _are_distributions(call: Call) -> str | None:
    for row in ((call.result.sum(-1) - 1).abs() > 1e-4).nonzero().flatten().tolist():
        return (
            f"Row {row} sums to {float(call.result[row].sum()):.3g}. Weights are a softmax over "
            "the positions of a row, taken after the scores that are not allowed became −∞."
        )
    return None


def _loss(call: Call, weights: Tensor) -> float:
    return float(F.cross_entropy(call.logits_of(weights), call.word))


def _finds(call: Call) -> str | None:
    equal = call.allowed / call.allowed.sum(-1, keepdim=True)
    before, after = _loss(call, equal), _loss(call, call.result)
    if after < before - 1e-6:
        return None
    return (
        f"With equal weights on all allowed positions, the cross-entropy is {before:.4g}, with "
        f"yours after the search it is {after:.4g}. Each step should lower it: does the optimizer "
        "change the scores, in the direction that makes the word more probable?"
    )


def _variant(
    make: Any = torch.optim.Adam,
    sign: float = 1.0,
    clears: bool = True,
    anew: bool = False,
    less: int = 0,
    mask: Any = lambda scores, allowed: scores.masked_fill(~allowed, -torch.inf).softmax(-1),
) -> Function:
    """The search, with one part made in another way."""

    def search(logits_of: Any, word: Any, allowed: Any, steps: int, rate: float) -> Any:
        scores = torch.zeros(allowed.shape, requires_grad=True)
        optimizer = make([scores], lr=rate)
        for _ in range(steps - less):
            if anew:
                optimizer = make([scores], lr=rate)
            logits = logits_of(mask(scores, allowed))
            loss = sign * F.cross_entropy(logits, word, reduction="sum")
            if clears:
                optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return mask(scores.detach(), allowed)

    return search


CHECK = Exercise(
    search_weights,
    inputs=_searches,
    rules={
        "positions that are not allowed get exactly 0": _only_allowed,
        "each row sums to 1": _are_distributions,
        "the search makes the words more probable": _finds,
    },
    mistakes={
        "The word becomes *less* probable: the loss is maximized. Take the cross-entropy, not its "
        "negative.": _variant(sign=-1.0),
        "These are steps of plain gradient descent. Use torch.optim.Adam.": _variant(
            torch.optim.SGD
        ),
        "The gradients of earlier steps are added up: optimizer.zero_grad() is missing.": _variant(
            clears=False
        ),
        "You create the optimizer again in every step, so it forgets its averages. Create it once, "
        "before the loop.": _variant(anew=True),
        "These are the weights from before the last step: take the softmax once more after the "
        "loop.": _variant(less=1),
        "A score of 0 is not a weight of 0. Set the scores that are not allowed to −∞.": _variant(
            mask=lambda scores, allowed: (scores * allowed).softmax(-1)
        ),
        "The mask is not used: all positions take part in the search.": _variant(
            mask=lambda scores, allowed: scores.softmax(-1)
        ),
        "The mask comes after the softmax, so the rows do not sum to 1. Set the scores to −∞ "
        "before it.": _variant(mask=lambda scores, allowed: scores.softmax(-1) * allowed),
        "These are the scores. Weights are their softmax.": _variant(
            mask=lambda scores, allowed: scores.masked_fill(~allowed, 0.0)
        ),
        "You take one step too many: use range(steps).": _variant(less=-1),
    },
)
