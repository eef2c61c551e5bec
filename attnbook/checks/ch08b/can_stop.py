"""Exercise 8.5: ``can_stop``."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import torch

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise
from attnlib import search


def can_stop(best: float, live: float, t: int, max_length: int, alpha: float) -> bool:
    """Whether no completion of a prefix of t tokens can score higher than best (GNMT penalty)."""
    lengths = range(t + 1, max_length + 1)
    return all(best >= live / search.length_penalty(float(n), alpha) for n in lengths)


def _moments() -> Inputs:
    for best, live, t, max_length, alpha in (
        (-1.0, -2.0, 2, 9, 0.0),
        (-2.0, -1.0, 2, 9, 0.0),
        (-1.5, -1.5, 3, 5, 0.0),
        (-1.0, -1.5, 1, 13, 1.0),
        (-0.9, -1.2, 3, 3, 1.0),
        (-0.75, -1.5, 3, 7, 1.0),  # lp(7) = 2: a tie
        (-0.76, -1.5, 6, 7, 1.0),
        (-1.5, -1.0, 3, 30, -0.5),
        (-math.inf, -math.inf, 2, 6, 0.6),
        (-math.inf, -9.0, 6, 6, 0.6),
        (-math.inf, -9.0, 3, 6, 0.6),
    ):
        yield {"best": best, "live": live, "t": t, "max_length": max_length, "alpha": alpha}
    for draw in range(20):
        generator = torch.Generator().manual_seed(draw)
        best, live, alpha = torch.rand(3, generator=generator).tolist()
        span = {"t": 1 + draw % 5, "max_length": 6 + draw}
        yield {"best": -best, "live": -2 * live, **span, "alpha": 2 * alpha - 0.5}


def _scores(live: float, alpha: float, lengths: Iterable[int]) -> list[float]:
    """The scores of completions of these lengths, if every further token had probability 1."""
    return [live / search.length_penalty(float(n), alpha) for n in lengths]


def _at_the_end(call: Call) -> str | None:
    for best in (-2.0, -math.inf):
        if not call(best=best, live=-1.5, t=7, max_length=7, alpha=0.6):
            return (
                f"t = max_length = 7 and best = {best:g}: no completion is allowed any more, so "
                "none can score higher, and yet it goes on."
            )
    return None


def _never_too_early(call: Call) -> str | None:
    for alpha in (0.0, 0.6, 1.0, 2.0, -0.7):
        for n in range(4, 13):
            [score] = _scores(-1.5, alpha, [n])
            if call(best=score - 1e-3, live=-1.5, t=3, max_length=12, alpha=alpha):
                return (
                    f"It stops too early. α = {alpha:g}, max_length = 12, best = "
                    f"{score - 1e-3:.3f}; a live prefix of 3 tokens has log-probability −1.5. If "
                    f"the model is certain of the rest, it can end as {n} tokens with score "
                    f"{score:.3f}, and that is higher than best."
                )
    return None


def _not_too_late(call: Call) -> str | None:
    for alpha in (0.0, 0.6, 1.0, 2.0, -0.7):
        best = max(_scores(-1.5, alpha, range(4, 13))) + 1e-3
        if not call(best=best, live=-1.5, t=3, max_length=12, alpha=alpha):
            return (
                f"It goes on for nothing. α = {alpha:g}, max_length = 12, best = {best:.3f}. "
                "A live prefix of 3 tokens has log-probability −1.5. No completion of it can "
                "reach that score, at any length."
            )
    return None


def _once(rule: Callable[[Call], str | None]) -> Callable[[Call], str | None]:
    """The rule, checked on the first input alone: its calls do not depend on the input."""
    return lambda call: rule(call) if (call.best, call.live) == (-1.0, -2.0) else None


def _at_lengths(lengths: Callable[[int, int], Iterable[int]]) -> Callable[..., bool]:
    """The rule at other lengths than t + 1 to max_length."""
    return lambda best, live, t, max_length, alpha: all(
        best >= score for score in _scores(live, alpha, lengths(t, max_length))
    )


def _guarded(rule: Callable[..., bool]) -> Callable[..., bool]:
    """The rule after ``t >= max_length or …``."""
    return lambda best, live, t, max_length, alpha: (
        t >= max_length or rule(best, live, t, max_length, alpha)
    )


#: Wrong rules; each is a mistake after ``t >= max_length or …`` as well.
_RULES: dict[str, Callable[..., bool]] = {
    "The live prefix is scored at its *present* length. It can grow, and for α > 0 a longer "
    "sentence is divided by more.": _at_lengths(lambda t, last: [t]),
    "The live prefix is scored as if it ended now. For α > 0 its score is the highest at another "
    "length: which?": _at_lengths(lambda t, last: [t + 1]),
    "This is right for α ≥ 0. With a negative α the divisor shrinks with the length: the best "
    "completion is then the shortest.": _at_lengths(lambda t, last: [last]),
    "max_length itself is left out: range(a, b) ends before b, and a completion may have "
    "max_length tokens.": _at_lengths(lambda t, last: range(t + 1, last)),
    "It stops as soon as *one* length cannot win. That must hold at every length: all, not any.": (
        lambda best, live, t, max_length, alpha: any(
            best >= score for score in _scores(live, alpha, range(t + 1, max_length + 1))
        )
    ),
    "This is the rule for α = 0: the length penalty has no effect, or best was divided as well. "
    "best is a score, which is divided already; live is none yet.": (
        lambda best, live, t, max_length, alpha: best >= live
    ),
}

CHECK = Exercise(
    "can_stop",
    reference=can_stop,
    inputs=_moments,
    rules={
        "the answer is never True while a better completion can come (all lengths tried)": (
            _once(_never_too_early)
        ),
        "the answer is True where no completion can be better": _once(_not_too_late),
        "the answer is True where no length is left": _once(_at_the_end),
    },
    mistakes=[
        *(
            (diagnosis, wrong)
            for diagnosis, rule in _RULES.items()
            for wrong in (rule, _guarded(rule))
        ),
        (
            "At t = max_length no length is left, and max of no numbers fails: no completion can "
            "come, so the answer is True there.",
            lambda best, live, t, max_length, alpha: (
                best >= max(_scores(live, alpha, range(t + 1, max_length + 1)))
            ),
        ),
    ],
)
