"""Exercise 8.5: ``can_stop``."""

from __future__ import annotations

import math

import torch

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake
from attnlib import search

# can_stop -----------------------------------------------------------------------------------------


def _moments() -> Inputs:
    yield {"best": -1.0, "live": -2.0, "t": 2, "max_length": 9, "alpha": 0.0}
    yield {"best": -2.0, "live": -1.0, "t": 2, "max_length": 9, "alpha": 0.0}
    yield {"best": -1.5, "live": -1.5, "t": 3, "max_length": 5, "alpha": 0.0}
    yield {"best": -1.0, "live": -1.5, "t": 1, "max_length": 13, "alpha": 1.0}
    yield {"best": -0.5, "live": -4.0, "t": 4, "max_length": 13, "alpha": 1.0}
    yield {"best": -0.9, "live": -1.2, "t": 3, "max_length": 3, "alpha": 1.0}
    yield {"best": -1.2, "live": -1.0, "t": 3, "max_length": 30, "alpha": -0.5}
    yield {"best": -2.0, "live": -1.9, "t": 3, "max_length": 30, "alpha": -0.5}
    yield {"best": -math.inf, "live": -9.0, "t": 3, "max_length": 6, "alpha": 0.6}
    yield {"best": -4.0, "live": -math.inf, "t": 3, "max_length": 6, "alpha": 0.6}
    for draw in range(20):
        generator = torch.Generator().manual_seed(draw)
        best, live, alpha = torch.rand(3, generator=generator).tolist()
        span = {"t": 1 + draw % 5, "max_length": 6 + draw}
        yield {"best": -best, "live": -2 * live, **span, "alpha": 2 * alpha - 0.5}


def _reachable(live: float, t: int, max_length: int, alpha: float) -> list[float]:
    """The scores of all completions, if every further token had probability 1."""
    return [live / search.length_penalty(float(n), alpha) for n in range(t + 1, max_length + 1)]


def _can_stop(best: float, live: float, t: int, max_length: int, alpha: float) -> bool:
    return all(best >= score for score in _reachable(live, t, max_length, alpha))


def _never_too_early(call: Call) -> str | None:
    for alpha in (0.0, 0.6, 1.0, 2.0, -0.7):
        for n in range(4, 13):
            score = _reachable(-1.5, 3, 12, alpha)[n - 4]
            if call(best=score - 1e-3, live=-1.5, t=3, max_length=12, alpha=alpha):
                return (
                    f"It stops too early. α = {alpha:g}, max_length = 12, best = "
                    f"{score - 1e-3:.3f}; a live prefix of 3 tokens has log-probability −1.5. If "
                    f"the model is certain of the rest, it can end as {n} tokens with score "
                    f"{score:.3f}. At which length is a completion's score the highest?"
                )
    return None


def _not_too_late(call: Call) -> str | None:
    for alpha in (0.0, 0.6, 1.0, 2.0, -0.7):
        best = max(_reachable(-1.5, 3, 12, alpha)) + 1e-3
        if not call(best=best, live=-1.5, t=3, max_length=12, alpha=alpha):
            return (
                f"It goes on for nothing. α = {alpha:g}, max_length = 12, best = {best:.3f}; a "
                "live prefix of 3 tokens has log-probability −1.5, and no completion of it can "
                "reach that score, at any length."
            )
    return None


CHECK = Exercise(
    "can_stop",
    reference=_can_stop,
    inputs=_moments,
    rules={
        "it is never true while a better completion can come (all lengths tried)": (
            _never_too_early
        ),
        "it is true where no completion can be better": _not_too_late,
    },
    mistakes=[
        Mistake(
            "The live prefix is scored at its *present* length. It can grow, and for α > 0 a "
            "longer sentence is divided by more.",
            lambda best, live, t, max_length, alpha: (
                best >= live / search.length_penalty(float(t), alpha)
            ),
        ),
        Mistake(
            "The live prefix is scored as if it ended now. For α > 0 its score is the highest at "
            "another length: which?",
            lambda best, live, t, max_length, alpha: (
                t >= max_length or best >= live / search.length_penalty(t + 1.0, alpha)
            ),
        ),
        Mistake(
            "This is the rule for α = 0: the length penalty has no effect.",
            lambda best, live, t, max_length, alpha: best >= live,
        ),
        Mistake(
            "This is right for α ≥ 0. With a negative α the divisor shrinks with the length: the "
            "best completion is then the shortest.",
            lambda best, live, t, max_length, alpha: (
                best >= live / search.length_penalty(float(max_length), alpha)
            ),
        ),
        Mistake(
            "It stops as soon as anything has ended: a better hypothesis may still be alive.",
            lambda best, live, t, max_length, alpha: best > -math.inf,
        ),
        Mistake(
            "It is the wrong way round: it stops while the living are better.",
            lambda best, live, t, max_length, alpha: (
                not _can_stop(best, live, t, max_length, alpha)
            ),
        ),
        Mistake(
            "It never stops before max_length: right answers, but all the work.",
            lambda best, live, t, max_length, alpha: t >= max_length,
        ),
    ],
)
