"""Exercise 8.4: ``coverage_penalty``."""

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs
from attnbook.checks.rules import by_hand
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import fmt


def coverage_penalty(coverage: Tensor, beta: float, mask: Tensor) -> Tensor:
    """cp = β Σ_j log min(coverage_j, 1) over real positions. coverage, mask (…, S) → (…)."""
    logs = coverage.clamp(1e-9, 1).log()
    return beta * logs.masked_fill(~mask, 0).sum(-1)


def _coverages() -> Inputs:
    yes = torch.tensor([True, True, False])
    yield {"coverage": torch.tensor([0.5, 2.0, 0.0]), "beta": 1.0, "mask": yes}
    yield {"coverage": torch.tensor([1.0, 1.5, 0.3]), "beta": 0.4, "mask": yes}
    yield {"coverage": torch.tensor([0.0, 0.5]), "beta": 0.2, "mask": torch.tensor([True, True])}
    yield {
        "coverage": torch.tensor([[0.0, 0.4, 0.9]]),
        "beta": 0.5,
        "mask": yes.logical_not()[None],
    }
    yield {
        "coverage": torch.tensor([0.5, 0.5, 1.0, 0.5]),
        "beta": 1.0,
        "mask": torch.ones(4).bool(),
    }
    generator = torch.Generator().manual_seed(3)
    mask = torch.arange(5) < torch.tensor([[5], [3], [1]])
    yield {"coverage": 2 * torch.rand(3, 5, generator=generator), "beta": 0.3, "mask": mask}
    deep = torch.rand(2, 3, 5, generator=generator) * torch.tensor([0.0, 1.0, 1.0, 1.0, 2.0])
    yield {"coverage": deep, "beta": 0.7, "mask": mask.expand(2, 3, 5)}


def _costs(coverage: Tensor, mask: Tensor) -> Tensor:
    """What each word costs where β = 1."""
    return coverage.clamp(1e-9, 1).log().masked_fill(~mask, 0)


def _one_sentence(call: Call, *at: int) -> str:
    costs = _costs(call.coverage[at], call.mask[at])
    return (
        f"the words with the sums {fmt(call.coverage[at])} cost {fmt(costs)}, the logarithm of the "
        "sum, where it is at least 1e-9 and at most 1; padding costs nothing. Together that is "
        f"{fmt(costs.sum().item())}, times β = {call.beta:g}"
    )


#: A wrong penalty where β = 1, by coverage and mask.
_WRONG: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "The sign is turned: logarithms of numbers up to 1 are negative already, and a penalty is "
    "added to the score.": lambda coverage, mask: -_costs(coverage, mask).sum(-1),
    "Padding is filled with 0 *before* the logarithm, so it costs the most. What padding adds to "
    "the sum should be 0: fill after the logarithm, or with 1 before.": (
        lambda coverage, mask: _costs(coverage * mask, mask | True).sum(-1)
    ),
    "The mask is turned round: True marks the real words, and here the padding is counted.": (
        lambda coverage, mask: _costs(coverage, ~mask).sum(-1)
    ),
}


def _times_beta(wrong: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Tensor]:
    return lambda coverage, beta, mask: beta * wrong(coverage, mask)


CHECK = Exercise(
    coverage_penalty,
    inputs=_coverages,
    rules={
        "the penalty is β times the sum of the words' logarithms": by_hand(_one_sentence),
    },
    gradients=(),  # a search only looks ahead; nothing goes back through that
    mistakes={diagnosis: _times_beta(wrong) for diagnosis, wrong in _WRONG.items()},
)
