"""Exercise 8.4: ``coverage_penalty``."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake

# coverage_penalty ---------------------------------------------------------------------------------


def _coverages() -> Inputs:
    yes = torch.tensor([True, True, False])
    yield {"coverage": torch.tensor([0.5, 2.0, 0.0]), "beta": 1.0, "mask": yes}
    yield {"coverage": torch.tensor([1.0, 1.5, 0.3]), "beta": 0.4, "mask": yes}
    yield {"coverage": torch.tensor([0.0, 0.5]), "beta": 0.2, "mask": torch.tensor([True, True])}
    generator = torch.Generator().manual_seed(3)
    mask = torch.arange(5) < torch.tensor([[5], [3], [1]])
    yield {"coverage": 2 * torch.rand(3, 5, generator=generator), "beta": 0.3, "mask": mask}


def _never_a_reward(call: Call) -> str | None:
    got = float(call(coverage=torch.tensor([3.0, 1.0]), beta=1.0, mask=torch.tensor([True, True])))
    if abs(got) < 1e-6:
        return None
    return (
        f"Sums of 3 and 1 give {got:.3g}. A position that got its full share, or more, costs "
        "nothing and earns nothing: 0 is expected. Where is the minimum with 1?"
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
        f"The only real word is covered, and the penalty is {float(full):.3g}. Does padding, which "
        "nobody may look at, count as forgotten?"
    )


def _coverage(
    low: float = 1e-9, high: float = 1.0, masked: bool = True, how: str = "sum", sign: int = 1
) -> Callable[..., Tensor]:
    def wrong(coverage: Tensor, beta: float, mask: Tensor) -> Tensor:
        parts = coverage.clamp(low, high).log()
        parts = parts.masked_fill(~mask, 0) if masked else parts
        return sign * beta * (parts.sum(-1) if how == "sum" else parts.mean(-1))

    return wrong


CHECK = Exercise(
    "coverage_penalty",
    reference=_coverage(),
    inputs=_coverages,
    rules={
        "full coverage costs nothing": _never_a_reward,
        "padding costs nothing": _padding_is_free,
        "it is finite": _finite,
    },
    mistakes=[
        Mistake(
            "Sums above 1 are rewarded: looking twice at one word pays for forgetting another. "
            "Where is the minimum with 1?",
            _coverage(high=1e9),
        ),
        Mistake(
            "Padding is counted: a sentence is punished for its neighbours' length. Use the mask.",
            _coverage(masked=False),
        ),
        Mistake(
            "A word that was never looked at gives −∞. Take at least 1e-9 before the logarithm.",
            _coverage(low=0.0),
        ),
        Mistake(
            "This is the mean over the positions, padding included. The formula has a sum.",
            _coverage(how="mean"),
        ),
        Mistake(
            "The sign is turned: logarithms of numbers up to 1 are negative already, and a "
            "penalty is added to the score.",
            _coverage(sign=-1),
        ),
        Mistake(
            "The argument beta has no effect.",
            lambda coverage, beta, mask: _coverage()(coverage, 1.0, mask),
        ),
        Mistake(
            "The logarithm is missing: this is the plain sum of what was covered.",
            lambda coverage, beta, mask: beta * coverage.clamp(max=1).masked_fill(~mask, 0).sum(-1),
        ),
    ],
)
