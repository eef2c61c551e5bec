"""Exercise 8.4: ``coverage_penalty``."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise


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


def _of(call: Call, coverage: list[float], beta: float = 1.0, real: int = 2) -> float:
    """The penalty of one sentence, of which so many words are real."""
    mask = torch.arange(len(coverage)) < real
    return float(call(coverage=torch.tensor(coverage), beta=beta, mask=mask))


def _one_word(call: Call) -> str | None:
    got = _of(call, [0.5])
    if abs(got - math.log(0.5)) < 1e-5:
        return None
    return (
        f"A sentence of one word with the sum 0.5 costs {got:.4g} where β = 1: expected is "
        "log 0.5 = −0.6931, the natural logarithm."
    )


def _words_add_up(call: Call) -> str | None:
    first, second, both = (_of(call, sums) for sums in ([0.5], [0.25], [0.5, 0.25]))
    if abs(first + second - both) < 1e-5:
        return None
    return (
        f"A word with the sum 0.5 costs {first:.4g}, one with 0.25 costs {second:.4g}, and a "
        f"sentence of these two {both:.4g}. Expected is what they cost together, "
        f"{first + second:.4g}: the logarithm is taken word by word, and then comes the sum."
    )


def _linear(call: Call) -> str | None:
    single, tripled = _of(call, [0.5]), _of(call, [0.5], beta=3.0)
    if abs(3 * single - tripled) < 1e-5:
        return None
    message = (
        f"With β = 1 a word costs {single:.4g}, with β = 3 the same word {tripled:.4g}, not 3 × "
        "that."
    )
    return message + " β stands outside of the logarithm and of the minimum."


def _never_a_reward(call: Call) -> str | None:
    got = _of(call, [3.0, 1.0])
    if abs(got) < 1e-6:
        return None
    return (
        f"Sums of 3 and 1 give {got:.3g}. A position that got its full share, or more, costs "
        "nothing and earns nothing: 0 is expected."
    )


def _finite(call: Call) -> str | None:
    got = _of(call, [0.0, 1.0])
    if math.isfinite(got):
        return None
    return (
        f"A word that was never attended gives {got}. Take at least 1e-9 before the logarithm: "
        "the hypothesis should rank low, not break the arithmetic."
    )


def _padding_is_free(call: Call) -> str | None:
    got = _of(call, [1.0, 0.0], real=1)
    if abs(got) < 1e-6:
        return None
    return (
        "The only real word is covered, the padding beside it is not, and the penalty is "
        f"{got:.3g}. Padding is never attended, so it costs nothing: 0 is expected."
    )


def _costs(coverage: Tensor, mask: Tensor) -> Tensor:
    """What each word costs where β = 1."""
    return coverage.clamp(1e-9, 1).log().masked_fill(~mask, 0)


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
        "one word costs β times the logarithm of its sum": _one_word,
        "β is a factor": _linear,
        "words cost together what they cost alone": _words_add_up,
        "full coverage costs nothing": _never_a_reward,
        "padding costs nothing": _padding_is_free,
        "the penalty is finite": _finite,
    },
    gradients=(),  # a search only looks ahead; nothing goes back through that
    mistakes={diagnosis: _times_beta(wrong) for diagnosis, wrong in _WRONG.items()},
)
