"""The score of a hypothesis: its log-probability, mended for its length."""

import math
from dataclasses import dataclass
from typing import TypeVar

from torch import Tensor

from ..checks import Number, as_number, check_name, require

FloatOrTensor = TypeVar("FloatOrTensor", float, Tensor)
PENALTIES = ("gnmt", "power")
MOST = 10  # of alpha, up and down: far more than ranks by length alone


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


@dataclass(frozen=True)
class Scoring:
    """What hypotheses are ranked by: s(Y) = log P(Y | x) / lp(|Y|)   (Wu et al. 2016, Eq. 14).

    ``alpha`` and ``penalty`` as in ``length_penalty``. Raises ValueError for an alpha that is not
    from −10 to 10, and another penalty.

    >>> Scoring(alpha=1.0).score(torch.tensor(-6.0), 7)  # lp = 2
    tensor(-3.)
    """

    alpha: Number = 0.0
    penalty: str = "gnmt"

    def __post_init__(self) -> None:
        _check_alpha(self.alpha)
        check_name("penalty", self.penalty, PENALTIES)

    def score(self, log_prob: Tensor, n: int) -> Tensor:
        """s(Y) of hypotheses of n tokens."""
        return log_prob / length_penalty(float(n), self.alpha, self.penalty)

    def bound(self, log_prob: Tensor, n: int, limit: Tensor) -> Tensor:
        """The score that no completion of n to ``limit`` tokens can exceed: log P only falls,
        and lp, being monotone, is largest at one of the two ends.

        No bound is tighter: a model may be certain of every token from here on, and
        end where lp is largest. Then log P stays what it is, and the bound is reached."""
        now = length_penalty(float(n), self.alpha, self.penalty)
        return log_prob / length_penalty(limit, self.alpha, self.penalty).clamp(min=now)


def _check_alpha(alpha: Number) -> None:
    require(abs(as_number(alpha)) <= MOST, "alpha", f"a number from −{MOST} to {MOST}", alpha)
