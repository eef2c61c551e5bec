"""Exercise 8.5: ``can_stop``."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import torch

from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise
from attnlib import search


def can_stop(best: float, live: float, t: int, max_length: int, alpha: float) -> bool:
    """Whether no completion of a prefix of t tokens can score higher than best (GNMT penalty)."""
    lengths = range(t + 1, max_length + 1)
    return all(best >= live / search.length_penalty(float(n), alpha) for n in lengths)


def _moments() -> Inputs:
    yield {"best": -1.0, "live": -2.0, "t": 2, "max_length": 9, "alpha": 0.0}
    yield {"best": -2.0, "live": -1.0, "t": 2, "max_length": 9, "alpha": 0.0}
    yield {"best": -1.5, "live": -1.5, "t": 3, "max_length": 5, "alpha": 0.0}
    yield {"best": -1.0, "live": -1.5, "t": 1, "max_length": 13, "alpha": 1.0}
    yield {"best": -0.5, "live": -4.0, "t": 4, "max_length": 13, "alpha": 1.0}
    yield {"best": -0.9, "live": -1.2, "t": 3, "max_length": 3, "alpha": 1.0}
    yield {"best": -1.2, "live": -1.0, "t": 3, "max_length": 30, "alpha": -0.5}
    yield {"best": -2.0, "live": -1.9, "t": 3, "max_length": 30, "alpha": -0.5}
    yield {"best": -1.5, "live": -1.0, "t": 3, "max_length": 30, "alpha": -0.5}
    yield {"best": -0.75, "live": -1.5, "t": 3, "max_length": 7, "alpha": 1.0}  # lp(7) = 2: a tie
    yield {"best": -0.76, "live": -1.5, "t": 6, "max_length": 7, "alpha": 1.0}
    yield {"best": -2.0, "live": -1.5, "t": 7, "max_length": 7, "alpha": 1.0}
    yield {"best": -math.inf, "live": -9.0, "t": 6, "max_length": 6, "alpha": 0.6}
    yield {"best": -math.inf, "live": -math.inf, "t": 2, "max_length": 6, "alpha": 0.6}
    yield {"best": -math.inf, "live": -9.0, "t": 3, "max_length": 6, "alpha": 0.6}
    yield {"best": -4.0, "live": -math.inf, "t": 3, "max_length": 6, "alpha": 0.6}
    for draw in range(20):
        generator = torch.Generator().manual_seed(draw)
        best, live, alpha = torch.rand(3, generator=generator).tolist()
        span = {"t": 1 + draw % 5, "max_length": 6 + draw}
        yield {"best": -best, "live": -2 * live, **span, "alpha": 2 * alpha - 0.5}


def _scores(live: float, alpha: float, lengths: Iterable[int]) -> list[float]:
    """The scores of completions of these lengths, if every further token had probability 1."""
    return [live / search.length_penalty(float(n), alpha) for n in lengths]


def _a_tie_is_no_gain(call: Call) -> str | None:
    if call(best=-1.5, live=-1.5, t=3, max_length=9, alpha=0.0):
        return None
    return (
        "It goes on for a tie. α = 0, best = −1.5, and the live prefix has −1.5: no completion can "
        "score *higher* than that, only as high."
    )


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
                f"It goes on for nothing. α = {alpha:g}, max_length = 12, best = {best:.3f}; a "
                "live prefix of 3 tokens has log-probability −1.5, and no completion of it can "
                "reach that score, at any length."
            )
    return None


#: Which lengths are looked at, where they are other ones than t + 1 to max_length.
_LENGTHS: dict[str, Callable[[int, int], Iterable[int]]] = {
    "The live prefix is scored at its *present* length. It can grow, and for α > 0 a longer "
    "sentence is divided by more.": lambda t, last: [t],
    "The live prefix is scored as if it ended now. For α > 0 its score is the highest at another "
    "length: which?": lambda t, last: [t + 1],
    "This is right for α ≥ 0. With a negative α the divisor shrinks with the length: the best "
    "completion is then the shortest.": lambda t, last: [last],
    "The live prefix is scored at a length in the middle. Which length is best is decided by the "
    "sign of α: look at all of them, or at the two ends.": lambda t, last: [(t + last) // 2],
    "The present length t is among the lengths. The prefix has not ended with t tokens: "
    "completions have t + 1 or more.": lambda t, last: range(t, last + 1),
    "The present length t is among the lengths, and max_length is not: completions have t + 1 to "
    "max_length tokens.": lambda t, last: range(t, last),
    "Length t + 1 is left out. The very next token may be the eos.": (
        lambda t, last: range(t + 2, last + 1)
    ),
    "max_length itself is left out: range(a, b) ends before b, and a completion may have "
    "max_length tokens.": lambda t, last: range(t + 1, last),
    "One length too many: no completion is longer than max_length.": (
        lambda t, last: range(t + 1, last + 2)
    ),
}


#: Other decisions by best and the scores of all completions.
_DECISIONS: dict[str, list[Callable[[float, list[float]], bool]]] = {
    "It is the wrong way round: it stops while the living are better.": [
        lambda best, scores: any(score > best for score in scores),
    ],
    "It is the wrong way round: it stops while the living are better, or as good.": [
        lambda best, scores: any(score >= best for score in scores),
        lambda best, scores: max(scores, default=-math.inf) >= best,
    ],
    "It is True whatever comes: ask whether a completion can score higher.": [
        lambda best, scores: True,
    ],
    "At t = max_length no length is left, and max or min of no numbers fails: no completion can "
    "come, so the answer is True there.": [
        lambda best, scores: best >= max(scores),
        lambda best, scores: best >= min(scores),
    ],
    "It never stops before max_length: right answers, but all the work.": [
        lambda best, scores: not scores,
    ],
    "A completion that scores exactly as high as best is taken for a better one. Asked is whether "
    "one can score *higher*.": [lambda best, scores: all(best > score for score in scores)],
    "It stops as soon as *one* length cannot win. That must hold at every length: all, not any.": [
        lambda best, scores: any(best >= score for score in scores),
        lambda best, scores: not scores or best >= min(scores),
    ],
    "It stops as soon as anything has ended: a better hypothesis may still be alive.": [
        lambda best, scores: best > -math.inf,
        lambda best, scores: not scores or best > -math.inf,
    ],
    "With nothing finished it never stops, even where no completion can come any more: "
    "t = max_length, or a live prefix of probability 0.": [
        lambda best, scores: best > -math.inf and best >= max(scores, default=best),
    ],
    "At max_length it goes on, though no completion is allowed any more.": [
        lambda best, scores: bool(scores) and best >= max(scores),
    ],
}


def _at_lengths(lengths: Callable[[int, int], Iterable[int]]) -> Callable[..., bool]:
    return lambda best, live, t, max_length, alpha: all(
        best >= score for score in _scores(live, alpha, lengths(t, max_length))
    )


def _decided(decide: Callable[[float, list[float]], bool]) -> Callable[..., bool]:
    return lambda best, live, t, max_length, alpha: decide(
        best, _scores(live, alpha, range(t + 1, max_length + 1))
    )


def _guarded(rule: Callable[..., bool]) -> Callable[..., bool]:
    """A rule behind ``t >= max_length or …``."""
    return lambda best, live, t, max_length, alpha: (
        t >= max_length or rule(best, live, t, max_length, alpha)
    )


CHECK = Exercise(
    "can_stop",
    reference=can_stop,
    inputs=_moments,
    rules={
        "the answer is never True while a better completion can come (all lengths tried)": (
            _never_too_early
        ),
        "the answer is True where no completion can be better": _not_too_late,
        "the answer is True for a tie": _a_tie_is_no_gain,
        "the answer is True where no length is left": _at_the_end,
    },
    mistakes=[
        *((told, _at_lengths(lengths)) for told, lengths in _LENGTHS.items()),
        *((told, _guarded(_at_lengths(lengths))) for told, lengths in _LENGTHS.items()),
        *(
            (
                "This is the rule for α = 0: the length penalty has no effect, or best was divided "
                "as well. best is a score, which is divided already; live is none yet.",
                wrong,
            )
            for wrong in (
                lambda best, live, t, max_length, alpha: best >= live,
                lambda best, live, t, max_length, alpha: t >= max_length or best >= live,
            )
        ),
        *((told, _decided(wrong)) for told, wrongs in _DECISIONS.items() for wrong in wrongs),
        (
            "The log-probability is multiplied by lp(n). A score is log P *divided* by it.",
            lambda best, live, t, max_length, alpha: can_stop(best, live, t, max_length, -alpha),
        ),
        (
            'This is the "power" penalty, n^α. The rule is for the GNMT penalty.',
            lambda best, live, t, max_length, alpha: all(
                best >= live / n**alpha for n in range(t + 1, max_length + 1)
            ),
        ),
    ],
)
