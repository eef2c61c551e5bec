"""The score of a hypothesis: its log-probability, mended for its length and for what it covers."""

import math
from dataclasses import dataclass
from typing import TypeVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from ..checks import Number, as_number, check_name, require
from ..masking import summary

FloatOrTensor = TypeVar("FloatOrTensor", float, Tensor)
PENALTIES = ("gnmt", "power")
MOST = 10  # of alpha, up and down, and of beta: far more than ranks by length or coverage alone


def length_penalty(n: FloatOrTensor, alpha: Number, kind: str = "gnmt") -> FloatOrTensor:
    """lp(n), which divides the log-probability of a hypothesis of n tokens (n counts the eos).

    "gnmt": ((5 + n) / 6)^α   (Wu et al. 2016, Eq. 14);   "power": n^α.
    Log-probabilities are negative: a larger divisor, so α > 0, *helps* long hypotheses.

    Arguments: n in tokens, a number or a tensor of any shape; alpha; kind. Returns what n is.
    Raises ValueError for another kind, an n below 1, and an alpha that is not from −10 to 10.

    >>> length_penalty(7.0, 1.0), length_penalty(9.0, 0.5, "power"), length_penalty(9.0, 0.0)
    (2.0, 3.0, 1.0)
    """
    check_name("kind", kind, PENALTIES)
    _check_alpha(alpha)
    require(isinstance(n, Tensor) or 1 <= as_number(n) < math.inf, "n", "at least 1 token", n)
    n = n if isinstance(n, Tensor) else as_number(n)
    return (n if kind == "power" else (5 + n) / 6) ** float(alpha)


def coverage_penalty(
    coverage: Float[Tensor, "*dims S"], beta: Number, mask: Bool[Tensor, "*mask_dims S"]
) -> Float[Tensor, "*dims"]:
    """cp = β Σ_j log min(Σ_t α_tj, 1) over the real source positions j (Wu et al. 2016, Eq. 14).

    Arguments: coverage (…, S), the weights summed over target steps; mask, True = real position.
    Returns (…): 0 where every position got a weight of 1 in sum, else negative and finite. Raises
    ValueError for a mask that is not boolean, and a beta that is not from −10 to 10.

    >>> coverage_penalty(torch.tensor([0.5, 2.0, 0.0]), 1.0, torch.tensor([True, True, False]))
    tensor(-0.6931)
    """
    boolean = isinstance(mask, Tensor) and mask.dtype == torch.bool
    require(boolean, "mask", "a boolean tensor (True = real position)", summary(mask))
    require(abs(as_number(beta)) <= MOST, "beta", f"a number from −{MOST} to {MOST}", beta)
    return float(beta) * coverage.clamp(1e-9, 1).log().masked_fill(~mask, 0).sum(-1)


@dataclass(frozen=True)
class Scoring:
    """What hypotheses are ranked by: s(Y) = log P(Y | x) / lp(|Y|) + cp   (Wu et al. 2016, Eq. 14).

    ``alpha`` and ``penalty`` as in ``length_penalty``, ``beta`` as in ``coverage_penalty``.
    Raises ValueError for an alpha that is not from −10 to 10, a beta that is not from 0 to 10, and
    another penalty.

    >>> Scoring(alpha=1.0).score(torch.tensor(-6.0), 7)  # lp = 2
    tensor(-3.)
    """

    alpha: Number = 0.0
    penalty: str = "gnmt"
    beta: Number = 0.0

    def __post_init__(self) -> None:
        _check_alpha(self.alpha)
        check_name("penalty", self.penalty, PENALTIES)
        require(0 <= as_number(self.beta) <= MOST, "beta", f"a number from 0 to {MOST}", self.beta)

    def score(
        self, log_prob: Tensor, n: int, coverage: Tensor | None = None, mask: Tensor | None = None
    ) -> Tensor:
        """s(Y) of hypotheses of n tokens; without coverage (…, S) it has no cp."""
        score = log_prob / length_penalty(float(n), self.alpha, self.penalty)
        if coverage is None or mask is None:
            return score
        return score + coverage_penalty(coverage, self.beta, mask)

    def bound(self, log_prob: Tensor, n: int, limit: Tensor) -> Tensor:
        """The score that no completion of n to ``limit`` tokens can exceed: log P only falls,
        cp ≤ 0, and lp, being monotone, is largest at one of the two ends.

        Without cp no bound is tighter: a model may be certain of every token from here on, and
        end where lp is largest. Then log P stays what it is, and the bound is reached."""
        now = length_penalty(float(n), self.alpha, self.penalty)
        return log_prob / length_penalty(limit, self.alpha, self.penalty).clamp(min=now)

    def check_mask(self, mask: Tensor | None, batch: int) -> None:
        """With a beta, src_mask must say for each of ``batch`` sentences what its tokens are."""
        boolean = isinstance(mask, Tensor) and mask.dtype == torch.bool
        real = f"a boolean mask (B, S), B = {batch}, True at real source tokens, where beta > 0"
        fits = boolean and mask.shape[:-1] == (batch,)  # type: ignore[union-attr]
        require(not self.beta or fits, "src_mask", real, summary(mask))


def _check_alpha(alpha: Number) -> None:
    require(abs(as_number(alpha)) <= MOST, "alpha", f"a number from −{MOST} to {MOST}", alpha)


def require_attention(weights: Tensor | None) -> Tensor:
    """The attention weights of a step, for a coverage penalty."""
    if weights is None:
        raise ValueError("beta > 0 needs attention weights, but step returned None: set beta=0")
    return weights
