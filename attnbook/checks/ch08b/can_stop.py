"""Exercise 8.5: ``can_stop``."""

import math
from collections.abc import Callable, Iterable

from attnbook.checks.inputs import Inputs
from attnbook.exercises import Call, Exercise
from attnlib import search


def can_stop(best: float, live: float, t: int, max_length: int, alpha: float) -> bool:
    """Whether no completion of a prefix of t tokens can score higher than best (GNMT penalty)."""
    lengths = range(t + 1, max_length + 1)
    return all(best >= live / search.length_penalty(float(n), alpha) for n in lengths)


def _scores(live: float, alpha: float, lengths: Iterable[int]) -> list[float]:
    """The scores of completions of these lengths, if every further token had probability 1."""
    return [live / search.length_penalty(float(n), alpha) for n in lengths]


def _moments() -> Inputs:
    moments = [
        (-1.5, -1.5, 3, 5, 0.0),  # a tie
        (-0.75, -1.5, 3, 7, 1.0),  # lp(7) = 2: a tie
        (-0.76, -1.5, 6, 7, 1.0),
        (-1.3, -1.5, 3, 12, 1.0),
        (-1.8, -1.5, 3, 12, 1.0),
        (-0.9, -1.2, 3, 3, 1.0),  # no length is left
        (-math.inf, -9.0, 6, 6, 0.6),
        (-math.inf, -math.inf, 2, 6, 0.6),
        (-math.inf, -9.0, 3, 6, 0.6),
    ]
    for alpha in (0.0, 0.6, 1.0, 2.0, -0.7):
        scores = _scores(-1.5, alpha, range(4, 13))
        for best in (scores[0] - 0.001, scores[-1] - 0.001, max(scores) + 0.001):
            moments.append((best, -1.5, 3, 12, alpha))
    for best, live, t, max_length, alpha in moments:
        yield {"best": best, "live": live, "t": t, "max_length": max_length, "alpha": alpha}


def _best_completion(call: Call) -> str | None:
    if call.result == call.expected:
        return None
    lengths = range(call.t + 1, call.max_length + 1)
    if not lengths:
        return "No length is left: no completion can score higher, and yet it goes on."
    score, n = max(zip(_scores(call.live, call.alpha, lengths), lengths))
    if call.result:
        return (
            "It stops too early. If the model is certain of the rest, the live prefix can end as "
            f"{n} tokens with score {score:.4f}, and that is higher than best, {call.best:.4f}."
        )
    return (
        f"It goes on for nothing. At most a completion can score {score:.4f}, with {n} tokens, and "
        f"that is not higher than best, {call.best:.4f}."
    )


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
    can_stop,
    inputs=_moments,
    rules={
        "a search stops where no completion can score higher, and nowhere else": _best_completion,
    },
    mistakes={
        **{diagnosis: [rule, _guarded(rule)] for diagnosis, rule in _RULES.items()},
        "At t = max_length no length is left, and max of no numbers fails: no completion can "
        "come, so the answer is True there.": (
            lambda best, live, t, max_length, alpha: (
                best >= max(_scores(live, alpha, range(t + 1, max_length + 1)))
            )
        ),
    },
)
