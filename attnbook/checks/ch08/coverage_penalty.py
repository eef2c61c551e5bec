"""Exercise 8.4: ``coverage_penalty``."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise


def coverage_penalty(coverage: Tensor, beta: float, mask: Tensor) -> Tensor:
    """cp = β Σ_j log min(coverage_j, 1) over real positions. coverage, mask (…, S) → (…)."""
    logs = coverage.clamp(1e-9, 1).log()
    return beta * logs.masked_fill(~mask, 0).sum(-1)


# coverage_penalty ---------------------------------------------------------------------------------


def _coverages() -> Inputs:
    yes = torch.tensor([True, True, False])
    yield {"coverage": torch.tensor([0.5, 2.0, 0.0]), "beta": 1.0, "mask": yes}
    yield {"coverage": torch.tensor([1.0, 1.5, 0.3]), "beta": 0.4, "mask": yes}
    yield {"coverage": torch.tensor([0.0, 0.5]), "beta": 0.2, "mask": torch.tensor([True, True])}
    yield {
        "coverage": torch.tensor([[0.0, 0.4, 0.9]]),
        "beta": 0.5,
        "mask": (yes & False).view(1, 3),
    }
    generator = torch.Generator().manual_seed(3)
    mask = torch.arange(5) < torch.tensor([[5], [3], [1]])
    yield {"coverage": 2 * torch.rand(3, 5, generator=generator), "beta": 0.3, "mask": mask}
    deep = torch.rand(2, 3, 5, generator=generator) * torch.tensor([0.0, 1.0, 1.0, 1.0, 2.0])
    yield {"coverage": deep, "beta": 0.7, "mask": mask.expand(2, 3, 5)}


def _of(call: Call, coverage: list[float], beta: float = 1.0) -> float:
    """The penalty of one sentence whose words are all real."""
    mask = torch.ones(len(coverage), dtype=torch.bool)
    return float(call(coverage=torch.tensor(coverage), beta=beta, mask=mask))


def _one_word(call: Call) -> str | None:
    got = _of(call, [0.5])
    if abs(got - math.log(0.5)) < 1e-5:
        return None
    return (
        f"A sentence of one word with the sum 0.5 costs {got:.4g} where β = 1: expected is "
        "log 0.5 = −0.6931, the natural logarithm."
        + " The smaller of the sum and 1 is taken, not the larger."
        * (got == 0)
    )


def _words_add_up(call: Call) -> str | None:
    one, other, both = (_of(call, given) for given in ([0.5], [0.25], [0.5, 0.25]))
    if abs(one + other - both) < 1e-5:
        return None
    return (
        f"A word with the sum 0.5 costs {one:.4g}, one with 0.25 costs {other:.4g}, and a sentence "
        f"of these two {both:.4g}. Expected is what they cost together, {one + other:.4g}: the "
        "logarithm is taken word by word, and then comes the sum."
    )


def _linear(call: Call) -> str | None:
    one, three = _of(call, [0.5]), _of(call, [0.5], beta=3.0)
    if abs(3 * one - three) < 1e-5:
        return None
    told = f"With β = 1 a word costs {one:.4g}, with β = 3 the same word {three:.4g}, not 3 × that."
    return told + " β stands outside of the logarithm and of the minimum."


def _never_a_reward(call: Call) -> str | None:
    got = _of(call, [3.0, 1.0])
    if abs(got) < 1e-6:
        return None
    return (
        f"Sums of 3 and 1 give {got:.3g}. A position that got its full share, or more, costs "
        "nothing and earns nothing: 0 is expected."
    )


def _finite(call: Call) -> str | None:
    got = float(call(coverage=torch.tensor([0.0, 1.0]), beta=1.0, mask=torch.tensor([True, True])))
    if math.isfinite(got):
        return None
    return (
        f"A word that was never looked at gives {got}. Take at least 1e-9 before the logarithm: "
        "the hypothesis should rank low, not break the arithmetic."
    )


def _padding_is_free(call: Call) -> str | None:
    full = call(coverage=torch.tensor([1.0, 0.0]), beta=1.0, mask=torch.tensor([True, False]))
    if abs(float(full)) < 1e-6:
        return None
    return (
        "The only real word is covered, the padding beside it is not, and the penalty is "
        f"{float(full):.3g}. Nobody may look at padding, so it costs nothing: 0 is expected."
    )


def _coverage(
    low: float = 1e-9, high: float = 1.0, masked: str = "after", how: str = "sum", sign: int = 1
) -> Callable[..., Tensor]:
    def wrong(coverage: Tensor, beta: float, mask: Tensor) -> Tensor:
        if masked == "before":
            coverage = coverage.masked_fill(~mask, 0)
        if how == "of the sum":
            total = coverage.masked_fill(~mask, 0).sum(-1)
            return sign * beta * total.clamp(low, high).log()
        parts = coverage.clamp(low, high).log()
        if masked in ("after", "turned"):
            parts = parts.masked_fill(~mask if masked == "after" else mask, 0)
        if how == "all":
            return sign * beta * parts.sum()
        if how == "first":
            return sign * beta * parts.sum(0)
        if how == "real mean":
            return sign * beta * parts.sum(-1) / mask.sum(-1)
        if how == "no sum":
            return sign * beta * parts
        return sign * beta * (parts.sum(-1) if how == "sum" else parts.mean(-1))

    return wrong


CHECK = Exercise(
    "coverage_penalty",
    reference=coverage_penalty,
    inputs=_coverages,
    rules={
        "one word costs β times the logarithm of its sum": _one_word,
        "β is a factor": _linear,
        "words cost together what they cost alone": _words_add_up,
        "full coverage costs nothing": _never_a_reward,
        "padding costs nothing": _padding_is_free,
        "the penalty is finite": _finite,
    },
    gradients=(),  # a search only looks ahead; nothing goes back through that
    mistakes=[
        (
            "Sums above 1 are rewarded: looking twice at one word pays for forgetting another. "
            "Where is the minimum with 1?",
            _coverage(high=1e9),
        ),
        (
            "Padding is counted: a sentence is punished for its neighbors' length. Use the mask.",
            _coverage(masked="none"),
        ),
        (
            "A word that was never looked at gives −∞. Take at least 1e-9 before the logarithm.",
            _coverage(low=0.0),
        ),
        (
            "This is the mean over the positions, padding included. The formula has a sum.",
            _coverage(how="mean"),
        ),
        (
            "The sign is turned: logarithms of numbers up to 1 are negative already, and a "
            "penalty is added to the score.",
            _coverage(sign=-1),
        ),
        (
            "A word that was never looked at has log 0 = −∞, and −∞ · 0 is not a number. Take at "
            "least 1e-9 before the logarithm; masked_fill needs no product with the mask.",
            lambda coverage, beta, mask: beta * (coverage.clamp(max=1).log() * mask).sum(-1),
        ),
        (
            "The argument beta has no effect.",
            lambda coverage, beta, mask: _coverage()(coverage, 1.0, mask),
        ),
        (
            "The logarithm is missing: this is the plain sum of what was covered.",
            lambda coverage, beta, mask: beta * coverage.clamp(max=1).masked_fill(~mask, 0).sum(-1),
        ),
        (
            "Padding is filled with 0 *before* the logarithm, so it costs the most. What padding "
            "adds to the sum should be 0: fill after the logarithm, or with 1 before.",
            _coverage(masked="before"),
        ),
        (
            "The mask is turned round: True marks the real words, and here the padding is counted.",
            _coverage(masked="turned"),
        ),
        (
            "This is the mean over the real words. The formula has a sum.",
            _coverage(how="real mean"),
        ),
        (
            "The sum runs over the first dimension, from sentence to sentence. Each sentence has "
            "its own: sum over the last one, its words.",
            _coverage(how="first"),
        ),
        (
            "Nothing is added up: every word has its own cost here. Sum over the last dimension.",
            _coverage(how="no sum"),
        ),
        (
            "Everything is added up to one number. Each sentence has its own: sum over the last "
            "dimension.",
            _coverage(how="all"),
        ),
        *(
            (
                "The sums of all words are added before the logarithm. Minimum and logarithm are "
                "taken of each word, then comes the sum.",
                _coverage(how="of the sum", high=high, sign=sign),
            )
            for high in (1.0, 1e9)
            for sign in (1, -1)
        ),
        (
            "The sign is turned, and padding is counted: use the mask, and no minus.",
            _coverage(masked="none", sign=-1),
        ),
        (
            "The limit below is not 1e-9, so a word that was never looked at costs something else.",
            _coverage(low=1e-6),
        ),
    ],
)
